import { z } from 'zod';

/** Fields of the environment that say how notifications are sent. */

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** Whole host names or IPv4 addresses, in small letters. */
export const privateHosts = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .pipe(z.array(z.string().regex(HOST, 'give a comma list of whole host names')));

export const smtpUrl = z.url({
  protocol: /^smtps?$/,
  error: 'give smtp://host:port or smtps://host:port, with the login in it',
});

/** An address alone, or `Name <address>`. */
export const mailFrom = z
  .string()
  .regex(/^(?:[^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/, 'give an address, or "Name <address>"');

/** Without a slash at the end, so that a path can follow. */
export const publicUrl = z
  .url({ protocol: /^https?$/, error: 'give the address of the server, https://…' })
  .transform((url) => url.replace(/\/+$/, ''));
