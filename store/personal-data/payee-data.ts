import { createHmac } from 'node:crypto';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { TextHash } from '../../domain/runs/row-identity.ts';
import type { Queryable } from '../database/database.ts';
import { readOrCreateSecret } from './data-secrets.ts';
import { decrypt, encrypt, newKey } from './encryption.ts';
import { keyedHash } from './keyed-hash.ts';
import { runKeyName, unwrapKey, wrapKey, type WrappedKey } from './key-wrapping.ts';

const PAYEE_DATA = 'payee-data';

/** A new secret would recognize no account that was paid before. The keys of runs may be restored later than the runs, or with it. */
const HAS_RUNS = {
  exists: 'select from runs where erased_at is null limit 1',
  message: 'the secret that recognizes payees is missing (data_secrets): restore it with the keys of the runs',
};

/** SQL: the wrapped key of the run of `payments`, and the id of the data key; null once its data is erased. */
export const runKeyOf = (table: string): string =>
  `(select wrapped_by || ' ' || encode(wrapped, 'base64') from run_keys where run_keys.run_id = ${table}.run_id)`;

/** The new key of a run, which encrypts what it has of its payees. It may be given to another thread. */
export interface RunKey {
  runId: string;
  key: Uint8Array;
  /** Makes the hashes of payees' data. */
  indexKey: Uint8Array;
  stored: WrappedKey;
}

/** Reads and writes what the installation has of those who are paid. */
export class PayeeData {
  /** Of accounts, names and whole rows, as they are stored and searched. */
  readonly hash: TextHash;
  readonly #keys: DataKeys;
  readonly #indexKey: Buffer;
  readonly #beneficiariesKey: Buffer;
  readonly #draftsKey: Buffer;
  readonly #bookKey: Buffer;
  /** The run that was read last: pages of rows are of one. */
  #last: { runId: string; wrapped: string; key: Buffer } | null = null;

  constructor(keys: DataKeys, secret: Uint8Array) {
    this.#keys = keys;
    this.#indexKey = derivedKey(secret, 'index');
    this.#beneficiariesKey = derivedKey(secret, 'beneficiaries');
    this.#draftsKey = derivedKey(secret, 'drafts');
    this.#bookKey = derivedKey(secret, 'book');
    this.hash = keyedHash(this.#indexKey);
  }

  newRunKey(runId: string): RunKey {
    const key = newKey();
    return { runId, key, indexKey: this.#indexKey, stored: wrapKey(this.#keys, runKeyName(runId), key) };
  }

  /** `wrapped` as `runKeyOf` reads it. @throws DataKeyMissing, DecryptionFailed */
  decryptOfRun(runId: string, wrapped: string, context: string, encrypted: Uint8Array): Buffer {
    return decrypt(this.#keyOfRun(runId, wrapped), context, encrypted);
  }

  encryptBeneficiary(account: string, beneficiaryId: string, known: KnownBeneficiary): Buffer {
    return encrypt(this.#beneficiariesKey, placeOf(account, beneficiaryId), Buffer.from(JSON.stringify(known)));
  }

  decryptBeneficiary(account: string, beneficiaryId: string, encrypted: Uint8Array): KnownBeneficiary {
    const text = decrypt(this.#beneficiariesKey, placeOf(account, beneficiaryId), encrypted).toString();
    return JSON.parse(text) as KnownBeneficiary;
  }

  /** `place`: of which line of the book, and what of it. */
  encryptOfBook(place: string, content: unknown): Buffer {
    return encrypt(this.#bookKey, `book ${place}`, Buffer.from(JSON.stringify(content)));
  }

  decryptOfBook(place: string, encrypted: Uint8Array): unknown {
    return JSON.parse(decrypt(this.#bookKey, `book ${place}`, encrypted).toString());
  }

  /** `part`: what of the draft it is. */
  encryptOfDraft(draftId: string, part: string, content: Uint8Array): Buffer {
    return encrypt(this.#draftsKey, `draft ${draftId} ${part}`, content);
  }

  decryptOfDraft(draftId: string, part: string, encrypted: Uint8Array): Buffer {
    return decrypt(this.#draftsKey, `draft ${draftId} ${part}`, encrypted);
  }

  #keyOfRun(runId: string, wrapped: string): Buffer {
    if (this.#last?.runId !== runId || this.#last.wrapped !== wrapped) {
      const [wrappedBy = '', bytes = ''] = wrapped.split(' ');
      const stored = { wrappedBy, wrapped: Buffer.from(bytes, 'base64') };
      this.#last = { runId, wrapped, key: unwrapKey(this.#keys, runKeyName(runId), stored) };
    }
    return this.#last.key;
  }
}

function placeOf(account: string, beneficiaryId: string): string {
  return `beneficiary ${account} ${beneficiaryId}`;
}

function derivedKey(secret: Uint8Array, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}

const opened = new WeakMap<DataKeys, WeakMap<Queryable, PayeeData>>();

/**
 * The same for a pool and its keys from then on: the secret stays the same when data keys are replaced. Give a pool, as for
 * `readOrCreateSecret`. @throws DataKeyMissing, SecretMissing, DecryptionFailed
 */
export async function openPayeeData(database: Queryable, keys: DataKeys): Promise<PayeeData> {
  const known = opened.get(keys)?.get(database);
  if (known !== undefined) return known;
  const payees = new PayeeData(keys, await readOrCreateSecret(database, keys, PAYEE_DATA, { unless: HAS_RUNS }));
  const ofKeys = opened.get(keys) ?? new WeakMap<Queryable, PayeeData>();
  opened.set(keys, ofKeys);
  ofKeys.set(database, payees);
  return payees;
}
