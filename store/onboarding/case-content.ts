import { createHmac } from 'node:crypto';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { plainUserStatus } from '../../domain/onboarding/user-status.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import { readOrCreateSecret } from '../personal-data/data-secrets.ts';
import { caseKeyName, unwrapKey } from '../personal-data/key-wrapping.ts';
import { decrypt, encrypt } from '../personal-data/encryption.ts';

/** A new secret would recognize none of their addresses. */
const HAS_CASES = {
  exists: 'select from cases limit 1',
  message:
    'the secret that recognizes mail addresses is missing (data_secrets): restore it with the keys of the cases; if they are gone for good: payrun keys reindex',
};

/** The secret that keys the HMAC of mail addresses, so that nobody finds an address by trying. */
export const MAIL_INDEX = 'mail-index';

/** Encrypts and decrypts what belongs to one case. Each text is bound to its place: it cannot be decrypted elsewhere. */
export class CaseCipher {
  readonly #key: Uint8Array;
  readonly #caseId: string;

  constructor(caseId: string, key: Uint8Array) {
    this.#caseId = caseId;
    this.#key = key;
  }

  encryptApplicant(revision: number, applicant: Applicant): Buffer {
    return encrypt(this.#key, this.#place('revision', revision), Buffer.from(JSON.stringify(applicant)));
  }

  decryptApplicant(revision: number, encrypted: Buffer): Applicant {
    return JSON.parse(decrypt(this.#key, this.#place('revision', revision), encrypted).toString()) as Applicant;
  }

  encryptFile(slot: string, sha256: string, bytes: Uint8Array): Buffer {
    return encrypt(this.#key, this.#place('file', slot, sha256), bytes);
  }

  decryptFile(slot: string, sha256: string, encrypted: Buffer): Buffer {
    return decrypt(this.#key, this.#place('file', slot, sha256), encrypted);
  }

  encryptFileName(slot: string, name: string): Buffer {
    return encrypt(this.#key, this.#place('file-name', slot), Buffer.from(name));
  }

  decryptFileName(slot: string, encrypted: Buffer): string {
    return decrypt(this.#key, this.#place('file-name', slot), encrypted).toString();
  }

  encryptAddress(slot: string, url: string): Buffer {
    return encrypt(this.#key, this.#place('address', slot), Buffer.from(url));
  }

  decryptAddress(slot: string, encrypted: Buffer): string {
    return decrypt(this.#key, this.#place('address', slot), encrypted).toString();
  }

  encryptRemark(text: string): Buffer {
    return encrypt(this.#key, this.#place('remark'), Buffer.from(text));
  }

  decryptRemark(encrypted: Buffer): string {
    return decrypt(this.#key, this.#place('remark'), encrypted).toString();
  }

  encryptStatus(status: string): Buffer {
    return encrypt(this.#key, this.#place('status'), Buffer.from(status));
  }

  decryptStatus(encrypted: Buffer): string {
    return decrypt(this.#key, this.#place('status'), encrypted).toString();
  }

  /** Of a text that is kept once, without its content being comparable between cases. */
  hmac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }

  #place(...parts: (string | number)[]): string {
    return ['case', this.#caseId, ...parts].join(' ');
  }
}

/** Null: the case's data is erased. @throws DataKeyMissing */
export async function readCaseCipher(database: Queryable, keys: DataKeys, caseId: string): Promise<CaseCipher | null> {
  const { rows } = await database.query<{ wrapped: Buffer; wrappedBy: string }>(
    'select wrapped, wrapped_by as "wrappedBy" from case_keys where case_id = $1',
    [caseId],
  );
  const [row] = rows;
  return row === undefined ? null : new CaseCipher(caseId, unwrapKey(keys, caseKeyName(caseId), row));
}

/** What was supplied last. Null: erased. */
export async function readApplicant(
  database: Queryable,
  cipher: CaseCipher,
  caseId: string,
): Promise<Applicant | null> {
  const { rows } = await database.query<{ revision: number; encrypted: Buffer | null }>(
    `select revision, encrypted from case_revisions join cases using (case_id, revision) where case_id = $1`,
    [caseId],
  );
  const [row] = rows;
  return row === undefined || row.encrypted === null ? null : cipher.decryptApplicant(row.revision, row.encrypted);
}

/** HMAC-SHA-256 of mail addresses, without regard to upper and lower case. */
export function mailIndex(database: Queryable, keys: DataKeys): Promise<(address: string) => Buffer> {
  return mailIndexOf(database, keys, HAS_CASES);
}

/** The same, with a new secret if there is none, `unless` it would be wrong. */
export async function mailIndexOf(
  database: Queryable,
  keys: DataKeys,
  unless: typeof HAS_CASES | null = null,
): Promise<(address: string) => Buffer> {
  const secret = await readOrCreateSecret(database, keys, MAIL_INDEX, { unless });
  return (address) => createHmac('sha256', secret).update(address.normalize('NFC').trim().toLowerCase()).digest();
}

/** Keeps what the provider wrote about the applicant, encrypted, and the same text once. `refused`: as the reason of a refusal. */
export async function keepProviderRemark(
  database: Queryable,
  cipher: CaseCipher,
  remark: { caseId: string; providerStatus: string; text: string },
): Promise<void> {
  const status = remark.providerStatus === 'refused' ? 'refused' : plainUserStatus(remark.providerStatus);
  await database.query(
    `with kept as (
       insert into case_remarks (case_id, provider_status, text_hmac, encrypted) values ($1, $2, $3, $4)
       on conflict do nothing returning case_id, remark_id
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'case_remark_recorded', jsonb_build_object('case', case_id, 'remark', remark_id, 'status', $2::text)
     from kept`,
    [remark.caseId, status, cipher.hmac(remark.text), cipher.encryptRemark(remark.text)],
  );
}
