import { randomUUID } from 'node:crypto';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import { totpSecretName, unwrapKey, wrapKey } from '../personal-data/key-wrapping.ts';
import type { TokenHash } from './token-hash.ts';

/** Second factors of users, and decisions that one was shown for. All that take a token hash throw `Refused`. */

/** What a second factor is shown for. Of a change of one's own sign-in: one's user id, an empty hash, `changed`. */
export interface StoredSubject {
  kind: 'run' | 'order' | 'row' | 'manual_outcome' | 'schedule' | 'sign_in' | 'change' | 'session';
  id: string;
  contentHash: string;
  decision: 'approved' | 'released' | 'confirmed' | 'changed' | 'signed_in';
}

const subjectValues = ({ kind, id, contentHash, decision }: StoredSubject) => [kind, id, contentHash, decision];

/** Keeps a new seed, encrypted with the current data key. It counts once a code of it was confirmed. */
export async function beginTotpAs(
  database: Database,
  tokenHash: TokenHash,
  keys: DataKeys,
  seed: Uint8Array,
): Promise<void> {
  const totpId = randomUUID();
  const { wrapped, wrappedBy } = wrapKey(keys, totpSecretName(totpId), seed);
  await callAsUser(database, 'begin_totp($1, $2, $3, $4)', [tokenHash.bytes, totpId, wrapped, wrappedBy]);
}

/** The seed to verify a code by. Counts as a failed try until a code is accepted. `isNew`: of one that is being set up. */
export async function readTotpSeedAs(
  database: Database,
  tokenHash: TokenHash,
  keys: DataKeys,
  isNew: boolean,
): Promise<Buffer> {
  const { totpId, wrapped, wrappedBy } = await callAsUser<{ totpId: string; wrapped: string; wrappedBy: string }>(
    database,
    'begin_totp_try($1, $2)',
    [tokenHash.bytes, isNew],
  );
  return unwrapKey(keys, totpSecretName(totpId), { wrapped: Buffer.from(wrapped, 'hex'), wrappedBy });
}

/** `step`: the time step of a code that was right, in units of 30 seconds since the epoch. */
export async function confirmTotpAs(
  database: Database,
  tokenHash: TokenHash,
  step: number,
  newTokenHash: TokenHash,
): Promise<void> {
  await callAsUser(database, 'confirm_totp($1, $2, $3)', [tokenHash.bytes, step, newTokenHash.bytes]);
}

export async function removeTotpAs(database: Database, tokenHash: TokenHash): Promise<void> {
  await callAsUser(database, 'remove_totp($1)', [tokenHash.bytes]);
}

export function stepUpWithTotpAs(
  database: Database,
  tokenHash: TokenHash,
  subject: StoredSubject,
  shown: { step: number; newTokenHash: TokenHash },
): Promise<{ validUntil: string }> {
  const values = [tokenHash.bytes, ...subjectValues(subject), shown.step, shown.newTokenHash.bytes];
  return callAsUser(database, 'step_up_with_totp($1, $2, $3, $4, $5, $6, $7)', values);
}

/** The challenge for a new passkey, in hex. */
export async function beginPasskeyAs(database: Database, tokenHash: TokenHash): Promise<Buffer> {
  const { challenge } = await callAsUser<{ challenge: string }>(database, 'begin_passkey($1)', [tokenHash.bytes]);
  return Buffer.from(challenge, 'hex');
}

export interface NewPasskey {
  challenge: Buffer;
  credentialId: Buffer;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
  label: string;
}

export async function addPasskeyAs(
  database: Database,
  tokenHash: TokenHash,
  passkey: NewPasskey,
  newTokenHash: TokenHash,
): Promise<void> {
  const { challenge, credentialId, publicKey, counter, transports, label } = passkey;
  const key = Buffer.from(publicKey);
  const values = [tokenHash.bytes, challenge, credentialId, key, counter, transports, label, newTokenHash.bytes];
  await callAsUser(database, 'add_passkey($1, $2, $3, $4, $5, $6, $7, $8)', values);
}

export async function removePasskeyAs(database: Database, tokenHash: TokenHash, passkeyId: string): Promise<void> {
  await callAsUser(database, 'remove_passkey($1, $2)', [tokenHash.bytes, passkeyId]);
}

/** The challenge that a passkey signs for exactly this subject. */
export async function beginPasskeyStepUpAs(
  database: Database,
  tokenHash: TokenHash,
  subject: StoredSubject,
): Promise<Buffer> {
  const { challenge } = await callAsUser<{ challenge: string }>(database, 'begin_passkey_step_up($1, $2, $3, $4, $5)', [
    tokenHash.bytes,
    ...subjectValues(subject),
  ]);
  return Buffer.from(challenge, 'hex');
}

export interface PasskeyEvidence {
  challenge: Buffer;
  credentialId: Buffer;
  counter: number;
  clientData: Buffer;
  authenticatorData: Buffer;
  signature: Buffer;
}

export function stepUpWithPasskeyAs(
  database: Database,
  tokenHash: TokenHash,
  evidence: PasskeyEvidence,
  newTokenHash: TokenHash,
): Promise<{ validUntil: string }> {
  const { challenge, credentialId, counter, clientData, authenticatorData, signature } = evidence;
  const values = [tokenHash.bytes, challenge, credentialId, counter, clientData, authenticatorData, signature];
  return callAsUser(database, 'step_up_with_passkey($1, $2, $3, $4, $5, $6, $7, $8)', [...values, newTokenHash.bytes]);
}

export interface Passkey {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** What the signatures of a user's passkeys are verified with. */
export async function listPasskeys(database: Queryable, userId: string): Promise<Passkey[]> {
  const { rows } = await database.query<Passkey>(
    `select credential_id as "credentialId", public_key as "publicKey", counter::float8 as counter, transports
     from passkeys where user_id = $1 order by created_at`,
    [userId],
  );
  return rows;
}

/** The challenge and its subject, while it may be used in the session. */
export async function findChallenge(
  database: Queryable,
  challenge: Buffer,
  sessionId: string,
): Promise<StoredSubject | null> {
  const { rows } = await database.query<StoredSubject>(
    `select kind, subject_id as id, content_hash as "contentHash", decision from passkey_challenges
     where challenge = $1 and session_id = $2 and kind is not null and expires_at > clock_timestamp()`,
    [challenge, sessionId],
  );
  return rows[0] ?? null;
}
