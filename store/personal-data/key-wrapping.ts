import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { open, seal } from './sealing.ts';

/** Keys of cases and secrets of the installation, as they are stored: sealed with a data key of the installation. */

export interface WrappedKey {
  wrapped: Buffer;
  /** The id of the data key. */
  wrappedBy: string;
}

/** No configured data key has the id: what it wraps cannot be read until it is configured. */
export class DataKeyMissing extends Error {
  override readonly name = 'DataKeyMissing';
  readonly keyId: string;

  constructor(keyId: string) {
    super(
      `data key ${keyId} is not configured, and what it seals cannot be read without it: restore it from where it is kept, ` +
        'as a further line of PAYRUN_DATA_KEY',
    );
    this.keyId = keyId;
  }
}

/** What the key of a case is wrapped as. `caseId` as Postgres writes it, in small letters. */
export function caseKeyName(caseId: string): string {
  return `case ${caseId}`;
}

export function secretKeyName(name: string): string {
  return `secret ${name}`;
}

/** What a webhook is signed with. */
export function endpointSecretName(secretId: string): string {
  return `endpoint secret ${secretId}`;
}

/** Wraps with the current data key. It unwraps under the same name alone. */
export function wrapKey(keys: DataKeys, name: string, key: Uint8Array): WrappedKey {
  return { wrapped: seal(keys.current.bytes, name, key), wrappedBy: keys.current.id };
}

/** @throws DataKeyMissing; SealBroken when it was damaged, or wrapped under another name */
export function unwrapKey(keys: DataKeys, name: string, { wrapped, wrappedBy }: WrappedKey): Buffer {
  const dataKey = keys.all.find(({ id }) => id === wrappedBy);
  if (dataKey === undefined) throw new DataKeyMissing(wrappedBy);
  return open(dataKey.bytes, name, wrapped);
}
