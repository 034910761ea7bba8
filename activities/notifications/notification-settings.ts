import type { RetrySchedule } from '../../domain/notifications/retry-schedule.ts';
import type { PostSettings } from './post-webhook.ts';
import type { MailSettings } from './send-mail.ts';

export interface NotificationSettings {
  schedule: RetrySchedule;
  webhooks: PostSettings;
  /** Null: no mail server is configured. */
  mail: MailSettings | null;
}
