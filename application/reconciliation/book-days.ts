import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type {
  AskedReconciliation,
  BookDay,
  BookDayQuery,
  DaySignature,
  OpeningBalance,
  ReconciliationProgress,
  ReconciliationRequest,
  SignedDay,
} from '../../api/reconciliation/book-day.ts';
import { dailyBooksWorkflowId, MAIN_TASK_QUEUE } from '../../domain/identifiers.ts';
import { signBookDayAs, signOpeningAs } from '../../store/reconciliation/book-days.ts';
import { type BookDayView, listBookDays as listStored } from '../../store/reconciliation/day-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, mayUse, type SignedIn } from '../users/signed-in.ts';

export async function listBookDays(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, from, to, open, limit }: BookDayQuery,
): Promise<BookDay[]> {
  const filter = { accounts: accountsOf(user, account), fromDay: from, toDay: to, isOpen: open, limit };
  return (await listStored(database, filter)).map(dayOf);
}

function dayOf({ reconciledAt, signedAt, closedAt, ...day }: BookDayView): BookDay {
  const books = day.books.map(({ totals, late, reclassified, ...rest }) => ({
    ...rest,
    totals: [...totals],
    late: [...late],
    reclassified: [...reclassified],
  }));
  return { ...day, books, reconciledAt: reconciledAt.toISOString(), signedAt: iso(signedAt), closedAt: iso(closedAt) };
}

/** @throws ApplicationError `not_found` for an account that is not configured, or that the user may not use */
export async function askForReconciliation(
  { temporal, accounts, now }: ApplicationDependencies,
  user: SignedIn,
  { account, from, to }: ReconciliationRequest,
): Promise<AskedReconciliation> {
  if (!mayUse(user, account) || !accounts.some(({ name }) => name === account)) {
    throw new ApplicationError('not_found', `there is no account "${account}" that you may use`);
  }
  const askedAt = new Date(now()).toISOString();
  try {
    await temporal.workflow.start('dailyBooks', {
      workflowId: dailyBooksWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account, fromDay: from, toDay: to }],
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `Reconciles ${account} with the provider's history`,
    });
    return { account, askedAt, isUnderWay: false };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return { account, askedAt, isUnderWay: true };
    throw new ApplicationError('unavailable', 'Temporal could not be reached: ask again', { cause: error });
  }
}

export async function findReconciliation(
  { temporal }: ApplicationDependencies,
  user: SignedIn,
  account: string,
): Promise<ReconciliationProgress> {
  if (!mayUse(user, account))
    throw new ApplicationError('not_found', `there is no account "${account}" that you may use`);
  try {
    const { status } = await temporal.workflow.getHandle(dailyBooksWorkflowId(account)).describe();
    const isUnderWay = status.name === 'RUNNING';
    return { account, isUnderWay, hasFailed: !isUnderWay && status.name !== 'COMPLETED' };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { account, isUnderWay: false, hasFailed: false };
    throw new ApplicationError('unavailable', 'Temporal could not be reached: ask again', { cause: error });
  }
}

export async function signBookDay(
  { database }: ApplicationDependencies,
  user: SignedIn,
  signature: DaySignature,
): Promise<SignedDay> {
  const { state } = await asApplicationError(signBookDayAs(database, user.tokenHash, signature));
  return { state: state === 'closed' ? 'closed' : 'signed' };
}

export async function signOpening(
  { database }: ApplicationDependencies,
  user: SignedIn,
  balance: OpeningBalance,
): Promise<void> {
  await asApplicationError(signOpeningAs(database, user.tokenHash, balance));
}
