import { z } from 'zod';
import type { Database } from '../store/database/database.ts';
import { type IdentityKey, replaceIdentityKeys } from '../store/users/identity-keys.ts';

/** Issuers publish a new key before they sign with it; a sign-in that is refused meanwhile is repeated. */
const READ_EVERY_MS = 300_000;
const TIMEOUT_MS = 10_000;

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });
const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });
const rsaKey = z.object({
  kty: z.literal('RSA'),
  kid: z.string().min(1),
  n: z.base64url(),
  e: z.base64url(),
  use: z.literal('sig').optional(),
});

/** Whose id tokens are accepted, and issued for whom. */
export interface IdentityIssuer {
  issuer: string;
  audience: string;
}

/** Keeps the keys of the company's sign-in in the database. `warn` is called once when reading them begins to fail. */
export function startIdentityKeyWatch(options: {
  database: Database;
  issuer: IdentityIssuer;
  warn: (message: string) => void;
}): { stop(): Promise<void> } {
  const { database, issuer, warn } = options;
  let isFailing = false;
  const look = async (): Promise<void> => {
    try {
      await replaceIdentityKeys(database, issuer, await readKeys(issuer.issuer));
      isFailing = false;
    } catch {
      if (!isFailing) warn(`the keys of ${issuer.issuer} cannot be read: its new ones are unknown until they can`);
      isFailing = true;
    }
  };
  let current = look();
  const timer = setInterval(() => {
    current = current.then(look);
  }, READ_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}

/** The RSA keys that the issuer signs with. OpenID Connect Discovery 1.0, section 4; RFC 7517. */
async function readKeys(issuer: string): Promise<IdentityKey[]> {
  const described = metadata.parse(await readJson(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`));
  if (described.issuer !== issuer) throw new Error('the issuer has another name than it is configured by');
  const { keys } = keySet.parse(await readJson(described.jwks_uri));
  return keys.flatMap((key) => {
    const { data } = rsaKey.safeParse(key);
    if (data === undefined) return [];
    const exponent = Buffer.from(data.e, 'base64url');
    return [
      {
        keyId: data.kid,
        modulus: Buffer.from(data.n, 'base64url'),
        exponent: exponent.readUIntBE(0, exponent.length),
      },
    ];
  });
}

async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
