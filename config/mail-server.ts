import { isLoopbackHost } from '../domain/loopback.ts';
import type { MailServer } from '../domain/notifications/mail-server.ts';
import type { Environment } from './environment.ts';

/** The mail server that the environment names; null: none is configured. */
export function mailServerIn(environment: Environment): MailServer | null {
  const { PAYRUN_SMTP_URL: url, PAYRUN_MAIL_FROM: from, PAYRUN_ALLOW_PLAINTEXT: plaintext } = environment;
  if (url === undefined || from === undefined) return null;
  return { url, from, requireTls: !isLoopbackHost(new URL(url).hostname) && !plaintext.includes('mail') };
}
