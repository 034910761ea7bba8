import { type Database, inTransaction } from '../database/database.ts';

/** A public key (RSA) with which a company's sign-in signs, as in its JSON Web Key Set. */
export interface IdentityKey {
  keyId: string;
  modulus: Buffer;
  exponent: number;
}

/**
 * The keys by which the database verifies id tokens of this issuer for this client: these, and no others. Workers alone may
 * write them, and servers alone sign people in: neither can let somebody in by itself.
 */
export async function replaceIdentityKeys(
  database: Database,
  { issuer, audience }: { issuer: string; audience: string },
  keys: readonly IdentityKey[],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query('delete from identity_keys');
    for (const { keyId, modulus, exponent } of keys) {
      await transaction.query(
        `insert into identity_keys (issuer, audience, key_id, modulus, exponent) values ($1, $2, $3, $4, $5)
         on conflict (issuer, audience, key_id) do update set modulus = excluded.modulus, exponent = excluded.exponent,
           read_at = clock_timestamp()`,
        [issuer, audience, keyId, modulus, exponent],
      );
    }
  });
}
