import { composeMail, type NotificationBody } from '../../domain/notifications/compose.ts';
import type { DeliveryError } from '../../domain/notifications/delivery-errors.ts';
import {
  type Attempt,
  type AttemptFailure,
  beginAttempt,
  readNextDueMs,
  recordDelivered,
  recordFailure,
} from '../../store/notifications/deliveries.ts';
import { readEndpointSecrets } from '../../store/notifications/endpoint-secrets.ts';
import { DataKeyMissing } from '../../store/personal-data/key-wrapping.ts';
import { DecryptionFailed } from '../../store/personal-data/encryption.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { postWebhook, signatureHeaders } from './post-webhook.ts';
import { sendMail } from './send-mail.ts';

type Outcome = { failure: AttemptFailure } | { failure: null; httpStatus: number | null; note: DeliveryError | null };

/**
 * Makes one attempt to deliver: the oldest delivery of the endpoint that is due. It is recorded before and after; if the
 * worker dies in between, it is sent again, with the same id. Answers when the next one is due; null: there is none.
 */
export function deliverNotificationActivity(dependencies: ActivityDependencies) {
  const { database, settings } = dependencies;
  return async function deliverNotification({
    endpointId,
  }: {
    endpointId: string;
  }): Promise<{ waitMs: number | null }> {
    const attempt = await beginAttempt(database, endpointId);
    if (attempt !== null) {
      const outcome = await send(dependencies, attempt);
      if (outcome.failure === null) await recordDelivered(database, attempt, outcome);
      else await recordFailure(database, attempt, outcome.failure, settings.notifications.schedule);
    }
    return { waitMs: await readNextDueMs(database, endpointId) };
  };
}

async function send(dependencies: ActivityDependencies, attempt: Attempt): Promise<Outcome> {
  return attempt.kind === 'webhook' ? sendWebhook(dependencies, attempt) : sendAsMail(dependencies, attempt);
}

async function sendWebhook(
  { database, dataKeys, now, settings }: ActivityDependencies,
  { endpointId, notificationId: id, url, body }: Attempt,
): Promise<Outcome> {
  const secrets = await readableSecrets(dataKeys === null ? null : readEndpointSecrets(database, dataKeys, endpointId));
  if (secrets === null || secrets.length === 0) return failed('data_key_missing');
  const headers = { ...signatureHeaders({ id, body }, secrets, now()), 'user-agent': 'payrun' };
  const { httpStatus, error } = await postWebhook({ url: url ?? '', headers, body }, settings.notifications.webhooks);
  return error === null ? { failure: null, httpStatus, note: null } : { failure: { error, httpStatus } };
}

async function sendAsMail(
  { settings }: ActivityDependencies,
  { notificationId: id, addresses, body }: Attempt,
): Promise<Outcome> {
  const { mail } = settings.notifications;
  if (mail === null) return failed('mail_not_configured');
  const parsed = JSON.parse(body) as NotificationBody;
  const { error, note } = await sendMail({ id, addresses: addresses ?? [], mail: composeMail(parsed) }, mail);
  return error === null ? { failure: null, httpStatus: null, note } : failed(error);
}

function failed(error: DeliveryError): Outcome {
  return { failure: { error, httpStatus: null } };
}

/** Null: they cannot be read. */
async function readableSecrets(reading: Promise<Buffer[]> | null): Promise<Buffer[] | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DataKeyMissing || error instanceof DecryptionFailed) return null;
    throw error;
  }
}
