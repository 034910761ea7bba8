import { createTransport } from 'nodemailer';
import type { NotificationBody } from '../../domain/notifications/compose.ts';
import { composeMail } from '../../domain/notifications/compose.ts';
import type { DeliveryError } from '../../domain/notifications/delivery-errors.ts';

export interface MailSettings {
  /** `smtp://` or `smtps://`, with the login. A secret. */
  url: string;
  from: string;
  /** Without it, a mail server that offers no encryption gets the login and the mail in clear. */
  requireTls: boolean;
}

export interface MailResult {
  error: DeliveryError | null;
  /** What was not quite right, although it was sent. */
  note: DeliveryError | null;
}

const TIMEOUT_MS = 30_000;

/** Sends a notification to all addresses at once. The id is that of the notification, so that a repeated mail is known as such. */
export async function sendMail(
  { id, addresses, body }: { id: string; addresses: readonly string[]; body: NotificationBody },
  { url, from, requireTls }: MailSettings,
): Promise<MailResult> {
  const transport = createTransport({
    url,
    requireTLS: requireTls,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      from,
      to: [...addresses],
      messageId: `<${id}@${/@([^>\s]+)>?$/.exec(from)?.[1] ?? 'payrun'}>`,
      // No out-of-office answer comes back.
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...composeMail(body),
    });
    return { error: null, note: rejected.length > 0 ? 'some_addresses_refused' : null };
  } catch (error) {
    return { error: errorOf(error), note: null };
  } finally {
    transport.close();
  }
}

const UNREACHABLE = ['ECONNECTION', 'ECONNREFUSED', 'ESOCKET', 'EDNS', 'ENOTFOUND', 'ECONNRESET'];

function errorOf(error: unknown): DeliveryError {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ETLS') return 'tls_failed';
  if (code === 'ETIMEDOUT') return 'timeout';
  return UNREACHABLE.includes(code) ? 'unreachable' : 'mail_refused';
}
