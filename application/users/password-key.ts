import { hashRaw, type Options } from '@node-rs/argon2';
import { ApplicationError } from '../application-error.ts';

/**
 * What Argon2id makes of a password (RFC 9106, and the parameters that OWASP's cheat sheet on password storage names). The
 * database keeps a hash of it, so that neither a backup nor a server that was taken over can sign in with what is stored.
 */

/** `Algorithm.Argon2id`: the package has it as a constant of its types alone. */
const ARGON2ID = 2 as NonNullable<Options['algorithm']>;

const PARAMETERS = {
  algorithm: ARGON2ID,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
};

/** Each takes 19 MiB. */
const AT_ONCE = 4;
/** Further ones are refused, so that nobody can fill the memory by trying passwords. */
const MAX_WAITING = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** @throws ApplicationError `unavailable` when too many are signing in at the same time */
export async function passwordKey(password: string, salt: Buffer): Promise<Buffer> {
  if (waiting.length >= MAX_WAITING) {
    throw new ApplicationError('unavailable', 'too many people are signing in: try again in a moment');
  }
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    // The same letters may be typed as different code points.
    return await hashRaw(password.normalize('NFC'), { ...PARAMETERS, salt });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
