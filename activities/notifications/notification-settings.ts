import type { MailServer } from '../../domain/notifications/mail-server.ts';
import type { RetrySchedule } from '../../domain/notifications/retry-schedule.ts';
import type { PostSettings } from './post-webhook.ts';

export interface NotificationSettings {
  schedule: RetrySchedule;
  webhooks: PostSettings;
  /** Null: no mail server is configured. */
  mail: MailServer | null;
}
