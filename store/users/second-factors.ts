import { randomUUID } from 'node:crypto';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import { totpSecretName, unwrapKey, wrapKey } from '../personal-data/key-wrapping.ts';
import type { TokenProof } from './token-proof.ts';

/** Second factors of users, and decisions that one was shown for. All that take a proof throw `Refused`. */

/** What a second factor is shown for. Of a change of one's own sign-in: one's user id, an empty hash, `changed`. */
export interface StoredSubject {
  kind: 'run' | 'order' | 'row' | 'resolution' | 'schedule' | 'sign_in';
  id: string;
  contentHash: string;
  decision: 'approved' | 'released' | 'confirmed' | 'changed';
}

const subjectValues = ({ kind, id, contentHash, decision }: StoredSubject) => [kind, id, contentHash, decision];

/** Keeps a new seed, sealed with the current data key. It counts once a code of it was confirmed. */
export async function beginTotpAs(
  database: Database,
  proof: TokenProof,
  keys: DataKeys,
  seed: Uint8Array,
): Promise<void> {
  const totpId = randomUUID();
  const { wrapped, wrappedBy } = wrapKey(keys, totpSecretName(totpId), seed);
  await callAsUser(database, 'begin_totp($1, $2, $3, $4)', [proof.bytes, totpId, wrapped, wrappedBy]);
}

/** The seed to verify a code by. Counts as a failed try until a code is accepted. `isNew`: of one that is being set up. */
export async function readTotpSeedAs(
  database: Database,
  proof: TokenProof,
  keys: DataKeys,
  isNew: boolean,
): Promise<Buffer> {
  const { totpId, wrapped, wrappedBy } = await callAsUser<{ totpId: string; wrapped: string; wrappedBy: string }>(
    database,
    'begin_totp_try($1, $2)',
    [proof.bytes, isNew],
  );
  return unwrapKey(keys, totpSecretName(totpId), { wrapped: Buffer.from(wrapped, 'hex'), wrappedBy });
}

/** `step`: the time step of a code that was right, in units of 30 seconds since the epoch. */
export async function confirmTotpAs(
  database: Database,
  proof: TokenProof,
  step: number,
  newProof: TokenProof,
): Promise<void> {
  await callAsUser(database, 'confirm_totp($1, $2, $3)', [proof.bytes, step, newProof.bytes]);
}

export async function removeTotpAs(database: Database, proof: TokenProof): Promise<void> {
  await callAsUser(database, 'remove_totp($1)', [proof.bytes]);
}

export function stepUpWithTotpAs(
  database: Database,
  proof: TokenProof,
  subject: StoredSubject,
  shown: { step: number; newProof: TokenProof },
): Promise<{ validUntil: string }> {
  const values = [proof.bytes, ...subjectValues(subject), shown.step, shown.newProof.bytes];
  return callAsUser(database, 'step_up_with_totp($1, $2, $3, $4, $5, $6, $7)', values);
}

/** The challenge for a new passkey, in hex. */
export async function beginPasskeyAs(database: Database, proof: TokenProof): Promise<Buffer> {
  const { challenge } = await callAsUser<{ challenge: string }>(database, 'begin_passkey($1)', [proof.bytes]);
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
  proof: TokenProof,
  passkey: NewPasskey,
  newProof: TokenProof,
): Promise<void> {
  const { challenge, credentialId, publicKey, counter, transports, label } = passkey;
  const key = Buffer.from(publicKey);
  const values = [proof.bytes, challenge, credentialId, key, counter, transports, label, newProof.bytes];
  await callAsUser(database, 'add_passkey($1, $2, $3, $4, $5, $6, $7, $8)', values);
}

export async function removePasskeyAs(database: Database, proof: TokenProof, passkeyId: string): Promise<void> {
  await callAsUser(database, 'remove_passkey($1, $2)', [proof.bytes, passkeyId]);
}

/** The challenge that a passkey signs for exactly this subject. */
export async function beginPasskeyStepUpAs(
  database: Database,
  proof: TokenProof,
  subject: StoredSubject,
): Promise<Buffer> {
  const { challenge } = await callAsUser<{ challenge: string }>(database, 'begin_passkey_step_up($1, $2, $3, $4, $5)', [
    proof.bytes,
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
  proof: TokenProof,
  evidence: PasskeyEvidence,
  newProof: TokenProof,
): Promise<{ validUntil: string }> {
  const { challenge, credentialId, counter, clientData, authenticatorData, signature } = evidence;
  const values = [proof.bytes, challenge, credentialId, counter, clientData, authenticatorData, signature];
  return callAsUser(database, 'step_up_with_passkey($1, $2, $3, $4, $5, $6, $7, $8)', [...values, newProof.bytes]);
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
