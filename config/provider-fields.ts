import { z } from 'zod';
import { isRequestPath } from '../provider/accounts/virtual-accounts.ts';

/** Fields of a provider account, with the same checks in the environment and in payrun.yaml. */

export const providerAddress = z.url({ protocol: /^https?$/, error: 'give an address that begins with https://' });

const HOST_NAME = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** Host names, a leading `*.` for those below it. */
export const hostNames = z.array(z.string().regex(HOST_NAME, 'give a comma list of host names'));

export const dateFormat = z.enum(['DD-MM-YYYY', 'YYYY-MM-DD'], 'give DD-MM-YYYY or YYYY-MM-DD');

export const uploadMethod = z.enum(['PUT', 'POST'], 'give PUT or POST');

export const storageClassPrefix = z
  .string()
  .regex(/^[a-z0-9]+$/, 'give the word between x- and -storage-class: small letters and digits');

export const virtualAccountPath = z
  .string()
  .refine(isRequestPath, 'give a path that begins with / and holds :requestId once');

/** One, or two while the provider's address is changed: both are accepted, the first one is shown. */
export const webhookTokensField = z
  .string()
  .transform((text) => text.trim().split(/[\s,]+/))
  .pipe(
    z
      .array(z.string().min(16, 'give 16 characters or more: it is all that protects the webhook address'))
      .max(2, 'give one token, or two while one replaces the other'),
  );
