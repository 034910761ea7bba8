import { randomUUID } from 'node:crypto';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import { endpointSecretName, unwrapKey, type WrappedKey, wrapKey } from '../personal-data/key-wrapping.ts';
import { newKey } from '../personal-data/encryption.ts';

/** As the receiver of a webhook is given it: https://www.standardwebhooks.com, "Signature scheme". */
const PREFIX = 'whsec_';

export interface NewSecret {
  secretId: string;
  encrypted: WrappedKey;
  /** For the receiver; shown once. */
  shown: string;
}

/** 32 random bytes, encrypted with the current data key. */
export function newEndpointSecret(keys: DataKeys): NewSecret {
  const secretId = randomUUID();
  const bytes = newKey();
  return {
    secretId,
    encrypted: wrapKey(keys, endpointSecretName(secretId), bytes),
    shown: `${PREFIX}${bytes.toString('base64')}`,
  };
}

/**
 * The secrets that an endpoint's webhooks are signed with: the current one first, then a former one while it is valid.
 * @throws DataKeyMissing, DecryptionFailed
 */
export async function readEndpointSecrets(database: Queryable, keys: DataKeys, endpointId: string): Promise<Buffer[]> {
  const { rows } = await database.query<WrappedKey & { secretId: string }>(
    `select secret_id as "secretId", wrapped, wrapped_by as "wrappedBy" from endpoint_secrets
     where endpoint_id = $1 and coalesce(expires_at > clock_timestamp(), true)
     order by expires_at nulls first`,
    [endpointId],
  );
  return rows.map(({ secretId, ...encrypted }) => unwrapKey(keys, endpointSecretName(secretId), encrypted));
}
