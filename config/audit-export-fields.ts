import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { isLoopbackHost } from '../domain/loopback.ts';

/** Where the audit trail is exported to: a folder by its whole path, or an address. */
export const auditExport = z
  .string()
  .refine(
    (text) => isAbsolute(text) || isAddress(text),
    'give the whole path of a folder, or an https address without a login',
  );

export const auditExportToken = z.string().regex(/^[!-~]{1,512}$/, 'give 1 to 512 visible ASCII characters');

function isAddress(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (protocol === 'https:' || isLoopbackHost(hostname)) && username === '' && password === '';
}
