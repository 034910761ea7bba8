import type { DataKey, DataKeys } from '../../domain/personal-data/data-keys.ts';
import { decrypt, DecryptionFailed, encrypt } from './encryption.ts';

/** Keys of cases and runs, and secrets of the installation, as they are stored: encrypted with a data key of the installation. */

export interface WrappedKey {
  wrapped: Buffer;
  /** The id of the data key. */
  wrappedBy: string;
}

/** No configured data key has the id: what it wraps cannot be read until it is configured. */
export class DataKeyMissing extends Error {
  override readonly name = 'DataKeyMissing';
  readonly keyId: string;

  constructor(keyId: string, { isFile }: { isFile: boolean }) {
    super(
      `data key ${keyId} is unknown to this process, and what it encrypts cannot be read without it. ` +
        (isFile
          ? "If it was added to another copy of the file of the data keys ('payrun keys new --file'), add it to this copy, and " +
            'restart the process if it still does not know it; if the key is lost, restore it from where it is kept, as a ' +
            'further line of the file'
          : 'If it was added to PAYRUN_DATA_KEY after this process started, restart every worker and server; if the key is ' +
            'lost, restore it from where it is kept, and restart them'),
    );
    this.keyId = keyId;
  }
}

/** What the key of a case is wrapped as. `caseId` as Postgres writes it, in small letters. */
export function caseKeyName(caseId: string): string {
  return `case ${caseId}`;
}

/** Erasing empties what a key has encrypted: where that is there without its key, the keys were not restored. */
export class RunKeyMissing extends Error {
  override readonly name = 'RunKeyMissing';

  constructor(runId: string) {
    super(`the key of the run ${runId} is missing (run_keys): restore the keys of the runs, with data_secrets`);
  }
}

/** What a secret of the installation has encrypted or hashed is there without it: the secrets were not restored. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

/** Whether a record cannot be read: it is damaged, or its key is missing. Lists show that of it, and the others as they are. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof DecryptionFailed || error instanceof DataKeyMissing || error instanceof RunKeyMissing;
}

/** What a list shows of one record: `otherwise` if it cannot be read. */
export function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return otherwise;
    throw error;
  }
}

/** What the key of a run is wrapped as. */
export function runKeyName(runId: string): string {
  return `run ${runId}`;
}

export function secretKeyName(name: string): string {
  return `secret ${name}`;
}

/** What a webhook is signed with. */
export function endpointSecretName(secretId: string): string {
  return `endpoint secret ${secretId}`;
}

/** What the codes of an authenticator app are made from. */
export function totpSecretName(totpId: string): string {
  return `totp ${totpId}`;
}

/** Wraps with the current data key. It unwraps under the same name alone. */
export function wrapKey(keys: DataKeys, name: string, key: Uint8Array): WrappedKey {
  return { wrapped: encrypt(keys.current.bytes, name, key), wrappedBy: keys.current.id };
}

/**
 * A key that is not known may have been added since the process started: the file of the keys is read again first.
 * @throws DataKeyMissing; DecryptionFailed when it was damaged, or wrapped under another name
 */
export function unwrapKey(keys: DataKeys, name: string, { wrapped, wrappedBy }: WrappedKey): Buffer {
  const dataKey = keyById(keys, wrappedBy) ?? rereadKeyById(keys, wrappedBy);
  if (dataKey === undefined) throw new DataKeyMissing(wrappedBy, { isFile: keys.reread !== undefined });
  return decrypt(dataKey.bytes, name, wrapped);
}

function keyById(keys: DataKeys, wanted: string): DataKey | undefined {
  return keys.all.find(({ id }) => id === wanted);
}

function rereadKeyById(keys: DataKeys, wanted: string): DataKey | undefined {
  keys.reread?.();
  return keyById(keys, wanted);
}
