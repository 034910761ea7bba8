import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sendMail } from '../activities/notifications/send-mail.ts';
import type { ApplicationDependencies } from '../application/application-dependencies.ts';
import type { MailServer } from '../domain/notifications/mail-server.ts';

/** Who makes a code waits for it, and is told while their client waits still. */
const WITHIN_MS = 15_000;

/** Sends codes to sign in. Null: there is no mail server. */
export function codeMailer(mailServer: MailServer | null, withinMs = WITHIN_MS): ApplicationDependencies['mailCode'] {
  if (mailServer === null) return null;
  return async ({ address, subject, text }) => {
    const sent = sendMail({ id: randomUUID(), addresses: [address], mail: { subject, text } }, mailServer);
    return Promise.race([sent.then(({ error }) => error), pause(withinMs, 'timeout' as const, { ref: false })]);
  };
}
