import type { ChangeKind, ChangeStateName } from '../../domain/approvals/change-kind.ts';
import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** A proposed change. It takes effect at once during setup, otherwise when it is confirmed or after its delay. */
export interface BegunChange {
  changeId: string;
  state: ChangeStateName;
  takesEffectAt: string | null;
}

/** What a second administrator must confirm; `change` null: it was done at once. */
export interface Proposed extends FunctionAnswer {
  change: BegunChange | null;
}

/** Functions of their own propose changes of the other kinds. */
type ProposedKind = Extract<
  ChangeKind,
  'grant_roles' | 'enable_user' | 'set_policy' | 'change_provider' | 'go_live' | 'set_mail'
>;

export function proposeChangeAs(
  database: Database,
  tokenHash: TokenHash,
  change: { kind: ProposedKind; userId: string | null; detail: object; basis?: number | undefined },
): Promise<BegunChange & FunctionAnswer> {
  const { kind, userId, detail, basis = null } = change;
  return callAsUser(database, 'propose_change($1, $2, $3, $4, to_jsonb($5::bigint))', [
    tokenHash.bytes,
    kind,
    userId,
    JSON.stringify(detail),
    basis,
  ]);
}

export function decideChangeAs(
  database: Database,
  tokenHash: TokenHash,
  changeId: string,
  isConfirmed: boolean,
): Promise<BegunChange & FunctionAnswer> {
  return callAsUser(database, 'decide_change($1, $2, $3)', [tokenHash.bytes, changeId, isConfirmed]);
}

/** Applies the changes whose time has come. Returns how many took effect. */
export async function applyDueChanges(database: Database): Promise<number> {
  const { rows } = await database.query<{ applied: number }>('select apply_due_changes() as applied');
  return rows[0]?.applied ?? 0;
}

export interface ChangeRecord {
  changeId: string;
  kind: string;
  user: { userId: string; name: string } | null;
  detail: Record<string, unknown>;
  proposedBy: { userId: string; name: string } | null;
  proposedAt: Date;
  takesEffectAt: Date | null;
  state: ChangeStateName;
  decidedBy: { userId: string; name: string } | null;
  decidedAt: Date | null;
}

interface ChangeRow extends Omit<ChangeRecord, 'user' | 'proposedBy' | 'decidedBy'> {
  userId: string | null;
  userName: string | null;
  proposerId: string | null;
  proposerName: string | null;
  deciderId: string | null;
  deciderName: string | null;
}

/** Newest first; with `pendingOnly`, only pending changes. Those of the provider of an account are of that account. */
export async function listChanges(
  database: Queryable,
  filter: { pendingOnly: boolean; limit: number; accounts: readonly string[] | null },
): Promise<ChangeRecord[]> {
  const { rows } = await database.query<ChangeRow>(
    `select change_id as "changeId", kind, changes.user_id as "userId", users.name as "userName", detail,
       proposed_by as "proposerId", proposer.name as "proposerName", proposed_at as "proposedAt",
       takes_effect_at as "takesEffectAt", state, decided_by as "deciderId", decider.name as "deciderName",
       decided_at as "decidedAt"
     from changes
     left join users using (user_id)
     left join users proposer on proposer.user_id = proposed_by
     left join users decider on decider.user_id = decided_by
     where (not $1 or state = 'pending')
       -- guard: changes-of-own-accounts
       and ($3::text[] is null or detail ->> 'account' is null or detail ->> 'account' = any($3))
     order by proposed_at desc, change_id limit $2`,
    [filter.pendingOnly, filter.limit, filter.accounts],
  );
  return rows.map(({ userId, userName, proposerId, proposerName, deciderId, deciderName, ...change }) => ({
    ...change,
    user: userOf(userId, userName),
    proposedBy: userOf(proposerId, proposerName),
    decidedBy: userOf(deciderId, deciderName),
  }));
}

function userOf(userId: string | null, name: string | null): { userId: string; name: string } | null {
  return userId === null ? null : { userId, name: name ?? '' };
}
