import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import { SecretMissing, secretKeyName, unwrapKey, wrapKey, type WrappedKey } from './key-wrapping.ts';
import { newKey } from './encryption.ts';

/**
 * The secret of the installation with this name: 32 bytes, made when it is first asked for, and the same for all processes.
 * Give a pool: in a transaction that is rolled back, a new secret would be lost, and the caller would go on with it.
 * @throws DataKeyMissing, SecretMissing, DecryptionFailed
 */
export async function readOrCreateSecret(
  database: Queryable,
  keys: DataKeys,
  name: string,
  /** When a new secret would be wrong: a statement, and what is then to be done. */
  { unless = null }: { unless?: { exists: string; message: string } | null } = {},
): Promise<Buffer> {
  const stored = (await readWrapped(database, name)) ?? (await create(database, keys, name, unless));
  return unwrapKey(keys, secretKeyName(name), stored);
}

/** Null: there is none yet. @throws DataKeyMissing, DecryptionFailed */
export async function readSecret(database: Queryable, keys: DataKeys, name: string): Promise<Buffer | null> {
  const stored = await readWrapped(database, name);
  return stored === null ? null : unwrapKey(keys, secretKeyName(name), stored);
}

/** Of two processes that create it at the same time, both get the secret of the first. */
async function create(
  database: Queryable,
  keys: DataKeys,
  name: string,
  unless: { exists: string; message: string } | null,
): Promise<WrappedKey> {
  if (unless !== null && (await database.query(unless.exists)).rows.length > 0) throw new SecretMissing(unless.message);
  const { wrapped, wrappedBy } = wrapKey(keys, secretKeyName(name), newKey());
  await database.query(
    'insert into data_secrets (name, wrapped, wrapped_by) values ($1, $2, $3) on conflict (name) do nothing',
    [name, wrapped, wrappedBy],
  );
  const stored = await readWrapped(database, name);
  if (stored === null) throw new Error(`the secret ${name} was removed while it was made`);
  return stored;
}

async function readWrapped(database: Queryable, name: string): Promise<WrappedKey | null> {
  const { rows } = await database.query<WrappedKey>(
    'select wrapped, wrapped_by as "wrappedBy" from data_secrets where name = $1',
    [name],
  );
  return rows[0] ?? null;
}
