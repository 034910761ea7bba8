import type { Database, Queryable } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

/**
 * What changes anything in a user's name: the functions of the database that ask for the proof of their token, decide
 * by their roles and by the policy, and write it all down. This module only calls them.
 */

const REFUSAL_CODES = ['unauthenticated', 'not_allowed', 'not_found', 'conflict', 'invalid_input'] as const;

/** The record refused it. The message is for people, and the audit trail has it already. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: (typeof REFUSAL_CODES)[number];

  constructor(code: string, message: string) {
    super(message);
    this.code = REFUSAL_CODES.find((known) => known === code) ?? 'conflict';
  }
}

type Answer = Record<string, unknown>;

async function ask<T extends Answer>(database: Queryable, call: string, values: readonly unknown[]): Promise<T> {
  const { rows } = await database.query<{ answer: Answer }>(`select ${call} as answer`, [...values]);
  const answer = rows[0]?.answer;
  if (answer === undefined) throw new Error('a function of the record gave no answer');
  if (typeof answer['refused'] === 'string') throw new Refused(answer['refused'], String(answer['message']));
  return answer as T;
}

/** Stores a run in its maker's name; its rows and files follow in the same transaction. */
export async function addRunAs(
  transaction: Queryable,
  proof: TokenProof,
  run: { runId: string; account: string; fileName: string; fileSha256: string; header: unknown; rowCount: number },
): Promise<void> {
  await ask(transaction, 'add_run($1, $2, $3, $4, $5, $6, $7)', [
    proof.bytes,
    run.runId,
    run.account,
    run.fileName,
    run.fileSha256,
    JSON.stringify(run.header),
    run.rowCount,
  ]);
}

export async function noteRefusedFileAs(
  database: Queryable,
  proof: TokenProof,
  file: { fileSha256: string | null; problems: unknown },
): Promise<void> {
  await ask(database, 'note_refused_file($1, $2, $3)', [proof.bytes, file.fileSha256, JSON.stringify(file.problems)]);
}

export interface RecordedDecision {
  decision: 'approved' | 'rejected';
  /** Which step of the policy it was, from 1, of how many; null for a rejection. */
  step: number | null;
  steps: number | null;
  /** The approval that satisfied the policy: the run pays from now on. */
  isLast: boolean;
}

export function decideRunAs(
  database: Database,
  proof: TokenProof,
  decision: { runId: string; kind: RecordedDecision['decision']; contentHash: string; comment: string | null },
): Promise<RecordedDecision & Answer> {
  const { runId, kind, contentHash, comment } = decision;
  return ask(database, 'decide_run($1, $2, $3, $4, $5)', [proof.bytes, runId, kind, contentHash, comment]);
}

/** Releases a suspected duplicate. `approvals`: how many of its run were given before, and count no more. */
export function releaseRowAs(
  transaction: Queryable,
  proof: TokenProof,
  release: { paymentId: string; similar: readonly string[]; reason: string },
): Promise<{ approvals: number }> {
  return ask(transaction, 'release_row($1, $2, $3, $4)', [
    proof.bytes,
    release.paymentId,
    release.similar,
    release.reason,
  ]);
}

export async function withdrawRunAs(
  database: Database,
  proof: TokenProof,
  runId: string,
  reason: string | null,
): Promise<void> {
  await ask(database, 'withdraw_run($1, $2, $3)', [proof.bytes, runId, reason]);
}

/** What a stop is of. */
export type StopScope = { scope: 'run'; runId: string } | { scope: 'account'; account: string } | { scope: 'all' };

/** Rows of a stopped run: sent, created with the provider and unfunded, and not sent. */
export interface StopCounts {
  sent: number;
  created: number;
  notSent: number;
  underWay: number;
}

export function stopPaymentsAs(
  database: Database,
  proof: TokenProof,
  of: StopScope,
  reason: string | null,
): Promise<{ stopId: string }> {
  const run = of.scope === 'run' ? of.runId : null;
  const account = of.scope === 'account' ? of.account : null;
  return ask(database, 'stop_payments($1, $2, $3, $4, $5)', [proof.bytes, of.scope, run, account, reason]);
}

/** `asked`: a second person must lift it as well. */
export function liftStopAs(
  database: Database,
  proof: TokenProof,
  stopId: string,
): Promise<{ stopId: string; state: 'asked' | 'lifted' }> {
  return ask(database, 'lift_stop($1, $2)', [proof.bytes, stopId]);
}

export function cancelRunAs(
  database: Database,
  proof: TokenProof,
  runId: string,
  reason: string | null,
): Promise<{ cancelled: number; counts: StopCounts }> {
  return ask(database, 'cancel_run($1, $2, $3)', [proof.bytes, runId, reason]);
}

export async function proposeResolutionAs(
  database: Queryable,
  proof: TokenProof,
  proposal: { paymentId: string; as: string; providerPaymentId: string | null; reason: string; evidenceHash: string },
): Promise<void> {
  await ask(database, 'propose_resolution($1, $2, $3, $4, $5, $6)', [
    proof.bytes,
    proposal.paymentId,
    proposal.as,
    proposal.providerPaymentId,
    proposal.reason,
    proposal.evidenceHash,
  ]);
}

export async function confirmResolutionAs(database: Database, proof: TokenProof, resolutionId: string): Promise<void> {
  await ask(database, 'confirm_resolution($1, $2)', [proof.bytes, resolutionId]);
}

export async function denyResolutionAs(
  database: Database,
  proof: TokenProof,
  denial: { resolutionId: string; reason: string | null },
): Promise<void> {
  await ask(database, 'deny_resolution($1, $2, $3)', [proof.bytes, denial.resolutionId, denial.reason]);
}

export async function eraseRemarkAs(database: Database, proof: TokenProof, remarkId: string): Promise<void> {
  await ask(database, 'erase_remark($1, $2)', [proof.bytes, remarkId]);
}

/** What became of a change: at once while setting up, else when it is confirmed or its time comes. */
export interface BegunChange {
  changeId: string;
  state: 'pending' | 'effective' | 'rejected';
  takesEffectAt: string | null;
}

export function addUserAs(
  database: Database,
  proof: TokenProof,
  user: { login: string; name: string; roles: readonly string[] },
): Promise<{ userId: string; change: BegunChange | null }> {
  return ask(database, 'add_user($1, $2, $3, $4)', [proof.bytes, user.login, user.name, user.roles]);
}

export type ChangeKind = 'grant_roles' | 'enable_user' | 'set_policy' | 'change_provider';

export function proposeChangeAs(
  database: Database,
  proof: TokenProof,
  change: { kind: ChangeKind; userId: string | null; detail: object },
): Promise<BegunChange & Answer> {
  const { kind, userId, detail } = change;
  return ask(database, 'propose_change($1, $2, $3, $4)', [proof.bytes, kind, userId, JSON.stringify(detail)]);
}

export function decideChangeAs(
  database: Database,
  proof: TokenProof,
  changeId: string,
  isConfirmed: boolean,
): Promise<BegunChange & Answer> {
  return ask(database, 'decide_change($1, $2, $3)', [proof.bytes, changeId, isConfirmed]);
}

export async function removeRoleAs(database: Database, proof: TokenProof, userId: string, role: string): Promise<void> {
  await ask(database, 'remove_role($1, $2, $3)', [proof.bytes, userId, role]);
}

export async function disableUserAs(database: Database, proof: TokenProof, userId: string): Promise<void> {
  await ask(database, 'disable_user($1, $2)', [proof.bytes, userId]);
}

/** A token for oneself. `newProof` is that of the token to be. */
export function issueTokenAs(
  database: Database,
  proof: TokenProof,
  token: { newProof: TokenProof; label: string; expiresAt: Date },
): Promise<{ tokenId: string }> {
  const { newProof, label, expiresAt } = token;
  return ask(database, 'issue_token($1, $2, $3, $4)', [proof.bytes, newProof.bytes, label, expiresAt]);
}

export async function revokeTokenAs(database: Database, proof: TokenProof, tokenId: string): Promise<void> {
  await ask(database, 'revoke_token($1, $2)', [proof.bytes, tokenId]);
}

/** `change`: it takes a second administrator first, and then another call. */
export function inviteUserAs(
  database: Database,
  proof: TokenProof,
  invitation: { userId: string; codeHash: Buffer; expiresAt: Date },
): Promise<{ invited?: true; change?: BegunChange }> {
  const { userId, codeHash, expiresAt } = invitation;
  return ask(database, 'invite_user($1, $2, $3, $4)', [proof.bytes, userId, codeHash, expiresAt]);
}

/** Exchanges a code for a token. */
export function redeemInvitation(
  database: Database,
  code: TokenProof,
  token: { newProof: TokenProof; label: string; expiresAt: Date },
): Promise<{ tokenId: string; userId: string }> {
  const { newProof, label, expiresAt } = token;
  return ask(database, 'redeem_invitation($1, $2, $3, $4)', [code.bytes, newProof.bytes, label, expiresAt]);
}

/** Changes whose time has come. Answers how many took effect. */
export async function applyDueChanges(database: Database): Promise<number> {
  const { rows } = await database.query<{ applied: number }>('select apply_due_changes() as applied');
  return rows[0]?.applied ?? 0;
}
