import { createTransport } from 'nodemailer';
import type { MailText } from '../../domain/notifications/compose.ts';
import type { MailServer } from '../../domain/notifications/mail-server.ts';
import type { DeliveryError } from '../../domain/notifications/delivery-errors.ts';

export interface MailResult {
  error: DeliveryError | null;
  /** What was not quite right, although it was sent. */
  note: DeliveryError | null;
}

const TIMEOUT_MS = 30_000;

/** Sends a mail to all addresses at once. With the same id, a repeated mail is known as such. */
export async function sendMail(
  { id, addresses, mail: { subject, text } }: { id: string; addresses: readonly string[]; mail: MailText },
  { url, from, requireTls }: MailServer,
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
      ...{ subject, text },
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
