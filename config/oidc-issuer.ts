import { z } from 'zod';
import { isLoopbackHost } from '../domain/loopback.ts';

/** As the issuer writes it: compared letter by letter. */
export const oidcIssuer = z
  .url({ protocol: /^https?$/, error: 'give the address of the issuer, as "https://login.example.com"' })
  .refine((url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname), 'give an https address');
