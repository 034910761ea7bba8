import type { BreakQuery, BreakSummary } from '../../api/reconciliation/break.ts';
import { BREAK_STATES, type BreakState, UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import {
  assignBreakAs,
  type BreakRecord,
  closeBreakAs,
  explainBreakAs,
  listBreaks as listStored,
  listRowsOf,
  reopenBreakAs,
} from '../../store/reconciliation/breaks.ts';
import type { Queryable } from '../../store/database/database.ts';
import { listUsers } from '../../store/users/users.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

export async function listBreaks(
  { database }: Pick<ApplicationDependencies, 'database'>,
  user: Pick<SignedIn, 'accounts'>,
  { account, from, to, state, limit }: BreakQuery,
): Promise<BreakSummary[]> {
  const states =
    state === 'all' ? BREAK_STATES : state === 'unresolved' ? UNRESOLVED_BREAK_STATES : [storedState(state)];
  const accounts = accountsOf(user, account);
  const found = await listStored(database, { accounts, states, fromDay: from, toDay: to, breakId: null, limit });
  return summariesOf(database, found);
}

/** @throws ApplicationError `not_found` for an unknown login; `conflict` for a user who may not work on breaks */
export async function assignBreak(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  breakId: string,
  login: string,
): Promise<BreakSummary> {
  const { database } = dependencies;
  const owner = (await listUsers(database)).find((one) => one.login === login);
  if (owner === undefined) throw new ApplicationError('not_found', `there is no user with the login ${login}`);
  await asApplicationError(assignBreakAs(database, user.tokenHash, { breakId, ownerId: owner.userId }));
  return afterwards(dependencies, breakId);
}

export async function explainBreak(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  breakId: string,
  reason: string,
): Promise<BreakSummary> {
  await asApplicationError(explainBreakAs(dependencies.database, user.tokenHash, { breakId, reason }));
  return afterwards(dependencies, breakId);
}

export async function closeBreak(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  breakId: string,
  explanationId: string,
): Promise<BreakSummary> {
  await asApplicationError(closeBreakAs(dependencies.database, user.tokenHash, { breakId, explanationId }));
  return afterwards(dependencies, breakId);
}

export async function reopenBreak(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  breakId: string,
  reason: string | null,
): Promise<BreakSummary> {
  await asApplicationError(reopenBreakAs(dependencies.database, user.tokenHash, { breakId, reason }));
  return afterwards(dependencies, breakId);
}

async function afterwards({ database }: ApplicationDependencies, breakId: string): Promise<BreakSummary> {
  const filter = { accounts: null, states: BREAK_STATES, fromDay: null, toDay: null, breakId, limit: 1 };
  const [found] = await listStored(database, filter);
  if (found === undefined) throw new Error('the break no longer exists');
  const [summary] = await summariesOf(database, [found]);
  return summary as BreakSummary;
}

/** Facts of our own payments are named by their ids: with these, a reader is led to the rows. */
async function summariesOf(database: Queryable, found: readonly BreakRecord[]): Promise<BreakSummary[]> {
  const paymentIds = found.flatMap(({ factIds }) => factIds.flatMap((factId) => paymentIdOf(factId) ?? []));
  const rows = new Map((await listRowsOf(database, [...new Set(paymentIds)])).map((row) => [row.paymentId, row]));
  return found.map((record) => {
    const named = record.factIds.flatMap((factId) => {
      const row = rows.get(paymentIdOf(factId) ?? '');
      return row === undefined ? [] : [{ factId, runId: row.runId, line: row.line }];
    });
    return { ...summaryOf(record), rows: named };
  });
}

const FACT_OF_A_ROW = /^(?:payment|refund)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d+$/;

function paymentIdOf(factId: string): string | null {
  return FACT_OF_A_ROW.exec(factId)?.[1] ?? null;
}

function storedState(state: BreakSummary['state']): BreakState {
  return state === 'no_longer_found' ? 'gone' : state;
}

function summaryOf({ state, foundAt, explainedAt, closedAt, ...record }: BreakRecord): Omit<BreakSummary, 'rows'> {
  return {
    ...record,
    state: state === 'gone' ? 'no_longer_found' : state,
    factIds: [...record.factIds],
    entryIds: [...record.entryIds],
    foundAt: foundAt.toISOString(),
    explainedAt: iso(explainedAt),
    closedAt: iso(closedAt),
  };
}
