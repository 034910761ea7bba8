import { hashRaw } from '@node-rs/argon2';

/**
 * What Argon2id makes of a password (RFC 9106, and the parameters that OWASP's cheat sheet on password storage names), within a
 * place of `PasswordPlaces`. The database keeps a hash of it, so that neither a backup nor a server that was taken over can sign in
 * with what is stored.
 */

const PARAMETERS = {
  // The package's default algorithm is Argon2id.
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
};

export async function passwordKey(password: string, salt: Buffer): Promise<Buffer> {
  // The same letters may be typed as different code points.
  return hashRaw(password.normalize('NFC'), { ...PARAMETERS, salt });
}
