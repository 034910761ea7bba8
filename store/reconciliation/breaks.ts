import type { Break } from '../../domain/reconciliation/break.ts';
import type { BreakState } from '../../domain/reconciliation/break-state.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

interface Person {
  userId: string;
  name: string;
}

/** A break as a case. `breakId` is that of the case. */
export interface BreakRecord extends Break {
  account: string;
  day: string;
  state: BreakState;
  foundAt: Date;
  ageSeconds: number;
  owner: Person | null;
  explainedBy: Person | null;
  explainedAt: Date | null;
  explanationId: string | null;
  /** Null as well once it was erased. */
  explanation: string | null;
  closedBy: Person | null;
  closedAt: Date | null;
}

export interface BreakFilter {
  /** Null: of all. */
  accounts: readonly string[] | null;
  states: readonly BreakState[];
  fromDay: string | null;
  toDay: string | null;
  breakId: string | null;
  limit: number;
}

const PERSON = (alias: string): string =>
  `case when ${alias}.user_id is not null then jsonb_build_object('userId', ${alias}.user_id, 'name', ${alias}.name) end`;

/** By day, the oldest first. */
export async function listBreaks(database: Queryable, filter: BreakFilter): Promise<BreakRecord[]> {
  const { rows } = await database.query<BreakRecord>(
    `select break_id as "breakId", account, day::text as day, type, currency, fact_ids as "factIds", entry_ids as "entryIds",
       expected::text as expected, found::text as found, is_interchangeable as "isAmbiguous", reason, breaks.state,
       found_at as "foundAt", extract(epoch from clock_timestamp() - found_at)::int as "ageSeconds",
       ${PERSON('owner')} as owner, ${PERSON('explainer')} as "explainedBy", explained_at as "explainedAt",
       remark_id as "explanationId", remarks.body as explanation, ${PERSON('closer')} as "closedBy", closed_at as "closedAt"
     from reconciliation_breaks breaks
     left join users owner on owner.user_id = owner_id
     left join users explainer on explainer.user_id = explained_by
     left join users closer on closer.user_id = closed_by
     left join remarks using (remark_id)
     where ($1::text[] is null or account = any($1)) and breaks.state = any($2)
       and ($3::date is null or day >= $3::date) and ($4::date is null or day <= $4::date)
       and ($5::uuid is null or break_id = $5)
     order by day, found_at, type, currency, break_id limit $6`,
    [filter.accounts, filter.states, filter.fromDay, filter.toDay, filter.breakId, filter.limit],
  );
  return rows;
}

/** Where payments are: their runs, and the lines of their rows. Unknown ones are left out. */
export async function listRowsOf(
  database: Queryable,
  paymentIds: readonly string[],
): Promise<{ paymentId: string; runId: string; line: number }[]> {
  if (paymentIds.length === 0) return [];
  const { rows } = await database.query<{ paymentId: string; runId: string; line: number }>(
    'select payment_id as "paymentId", run_id as "runId", line from payments where payment_id = any($1::uuid[])',
    [paymentIds],
  );
  return rows;
}

export async function assignBreakAs(
  database: Database,
  tokenHash: TokenHash,
  { breakId, ownerId }: { breakId: string; ownerId: string },
): Promise<void> {
  await callAsUser(database, 'assign_break($1, $2, $3)', [tokenHash.bytes, breakId, ownerId]);
}

export async function explainBreakAs(
  database: Database,
  tokenHash: TokenHash,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<void> {
  await callAsUser(database, 'explain_break($1, $2, $3)', [tokenHash.bytes, breakId, reason]);
}

/** `explanationId`: what the person has seen. */
export async function closeBreakAs(
  database: Database,
  tokenHash: TokenHash,
  { breakId, explanationId }: { breakId: string; explanationId: string },
): Promise<void> {
  await callAsUser(database, 'close_break($1, $2, $3)', [tokenHash.bytes, breakId, explanationId]);
}

export async function reopenBreakAs(
  database: Database,
  tokenHash: TokenHash,
  { breakId, reason }: { breakId: string; reason: string | null },
): Promise<void> {
  await callAsUser(database, 'reopen_break($1, $2, $3)', [tokenHash.bytes, breakId, reason]);
}
