import { activityInfo } from '@temporalio/activity';
import type { CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import { haveSameNames, type PersonDifference } from '../../domain/onboarding/same-person.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { mailIndex, readApplicant, readCaseCipher } from '../../store/onboarding/case-content.ts';
import {
  closeCaseManualOutcome,
  type ConfirmedCaseManualOutcome,
  readConfirmedManualOutcome,
} from '../../store/onboarding/case-manual-outcomes.ts';
import { readOpenCaseRequest, recordCaseAnswer } from '../../store/onboarding/case-requests.ts';
import { listUsersToRead, noteCandidate } from '../../store/onboarding/case-poll.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { type CaseRecord, listUnknownCases, lockCase, readCase } from '../../store/onboarding/cases.ts';
import { callProvider } from '../calls/call-provider.ts';
import { isDenied } from '../calls/failure-meaning.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, stateOf } from './case-calls.ts';
import { configuredKeys } from '../data-keys.ts';
import { openedCase } from './case-data.ts';

const MAX_EARLY_READS = 3;
const NOT_FOUND = 404;

interface ShownUser {
  userId: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  status: string;
  accountId: string | null;
}

/** Reads a user. `absent`: the provider shows no such user; `unreadable`: it does not let the user be read. Contract: account 2.3. */
async function readUserOr(
  { provider, settings }: ActivityDependencies,
  account: string,
  userId: string,
): Promise<ShownUser | { failure: ProviderFailure; is: 'absent' | 'unreadable' }> {
  const reply = await callProvider((options) => provider(account).users.get(userId, options));
  if (!(reply instanceof ProviderFailure)) return { ...reply.value, userId };
  if (!isDenied(reply)) throw retryLater(reply);
  // A new user may take a moment to show.
  if (activityInfo().attempt <= MAX_EARLY_READS) {
    throw tryAgainIn(settings.visibilityDelayMs, 'not_visible_yet', 'the user may not be visible yet');
  }
  return { failure: reply, is: reply.httpStatus === NOT_FOUND ? 'absent' : 'unreadable' };
}

/** Reads a user whom somebody named. Null: the provider does not show such a user. */
async function readUser(
  dependencies: ActivityDependencies,
  account: string,
  userId: string,
): Promise<ShownUser | null> {
  const user = await readUserOr(dependencies, account, userId);
  if (!('failure' in user)) return user;
  if (user.failure.kind === 'refused') return null;
  throw retryLater(user.failure);
}

/** The same mail address and the same names: nothing less makes a user the one of a case. Null: they are. */
async function differenceOf(
  dependencies: ActivityDependencies,
  record: CaseRecord,
  user: ShownUser | null,
): Promise<PersonDifference | null> {
  if (user === null) return 'user';
  const { database } = dependencies;
  const keys = configuredKeys(dependencies);
  const cipher = await readCaseCipher(database, keys, record.caseId);
  const applicant = cipher === null ? null : await readApplicant(database, cipher, record.caseId);
  if (user.email === null) return 'mail_address';
  const hmacOf = await mailIndex(database, keys);
  // guard: same-person
  if (!hmacOf(user.email).equals(record.emailHmac)) return 'mail_address';
  return applicant !== null && haveSameNames(applicant.details, user) ? null : 'names';
}

const REASONS = {
  user: 'no_such_user',
  mail_address: 'other_mail_address',
  names: 'other_names',
} as const satisfies Record<PersonDifference, CaseReason>;

const CONTRADICTIONS: Readonly<Record<PersonDifference, string>> = {
  user: 'the provider shows no user under this id',
  mail_address: 'the user under this id has another mail address than the applicant',
  names: 'the user under this id has other names than the applicant',
};

/**
 * The case has its user: the sign-up took effect, or the user was there before. In a transaction: nobody looks for the user of
 * a sign-up whose outcome is known.
 */
async function adopt(transaction: Queryable, { caseId }: CaseRecord, user: ShownUser): Promise<boolean> {
  await lockCase(transaction, caseId);
  const open = await readOpenCaseRequest(transaction, caseId, 'sign_up');
  if (open !== null) {
    const { requestId } = open;
    await recordCaseAnswer(transaction, {
      requestId,
      outcome: 'took_effect',
      answer: 'unknown_outcome',
      httpStatus: null,
    });
  }
  const { userId, accountId, status } = user;
  return moveCase(transaction, caseId, 'preparing', {
    userId,
    providerStatus: status,
    ...(accountId === null ? {} : { accountId }),
  });
}

const FOUND_MEANWHILE = 'the user was found meanwhile';

/** Takes a user over whom the applicant's file names by id, if it is the same person. */
export function adoptApplicantActivity(dependencies: ActivityDependencies) {
  return async function adoptApplicant({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const { database } = dependencies;
    const { record, applicant } = await openedCase(dependencies, caseId);
    if (applicant.providerUserId === null) throw new Error(`case ${caseId} names no user`);
    await moveCase(database, caseId, 'signing_up');
    const user = await readUser(dependencies, record.account, applicant.providerUserId);
    const difference = await differenceOf(dependencies, record, user);
    if (user !== null && difference === null) {
      await inTransaction(database, (transaction) => adopt(transaction, record, user));
    } else await moveCase(database, caseId, 'refused', { reason: REASONS[difference ?? 'user'] });
    return stateOf(database, caseId);
  };
}

/** Acts on what two people said about a sign-up with an unknown outcome. A named user is believed only after a read. */
export function resolveCaseActivity(dependencies: ActivityDependencies) {
  return async function resolveCase({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const { database } = dependencies;
    const manualOutcome = await readConfirmedManualOutcome(database, caseId);
    const record = await readCase(database, caseId);
    if (manualOutcome === null || record.state !== 'unknown') return { state: record.state };
    if (manualOutcome.userId === null) {
      if (!(await haveNamedUsersBeenRead(dependencies, record, manualOutcome))) return stateOf(database, caseId);
      // At once, as a case that has ended is not looked at again: the proposal would stay open.
      await inTransaction(database, async (transaction) => {
        const isMoved = await moveCase(transaction, caseId, 'never_created');
        const found = isMoved ? null : FOUND_MEANWHILE;
        await closeCaseManualOutcome(transaction, manualOutcome, isMoved ? 'confirmed' : 'contradicted', found);
      });
      return stateOf(database, caseId);
    }
    const user = await readUser(dependencies, record.account, manualOutcome.userId);
    const difference = await differenceOf(dependencies, record, user);
    if (user !== null && difference === null) {
      await inTransaction(database, async (transaction) => {
        await adopt(transaction, record, user);
        await closeCaseManualOutcome(transaction, manualOutcome, 'confirmed', null);
      });
    } else {
      await closeCaseManualOutcome(database, manualOutcome, 'contradicted', CONTRADICTIONS[difference ?? 'user']);
    }
    return stateOf(database, caseId);
  };
}

/** So long the provider may not answer before two people are told that their word cannot be followed. */
const READ_WITHIN_MS = 24 * 3_600_000;

/**
 * Reads the users whom events named since the sign-up, as one of them may be the applicant, and answers whether all were read. Closes
 * what two people have said when the provider does not let one be read. Some are read now, and the others when it is called again.
 */
async function haveNamedUsersBeenRead(
  dependencies: ActivityDependencies,
  { caseId, account }: CaseRecord,
  manualOutcome: ConfirmedCaseManualOutcome,
): Promise<boolean> {
  const { database } = dependencies;
  const toRead = await listUsersToRead(database, caseId);
  const isOverdue = manualOutcome.confirmedAgeMs > READ_WITHIN_MS;
  const unread = toRead.find(({ isUnreadable }) => isUnreadable || isOverdue);
  if (unread !== undefined) {
    const reason = `user ${unread.userId}, whom an event named since the sign-up, cannot be read, and may be the applicant: ask the provider`;
    await closeCaseManualOutcome(database, manualOutcome, 'contradicted', reason);
    return false;
  }
  for (const { userId } of toRead) await readNamedUser(dependencies, { account, userId });
  return toRead.length === 0;
}

/** Reads a user whom a webhook named and no case has: it may be the one of a sign-up whose answer was lost. */
export function readCandidateActivity(dependencies: ActivityDependencies) {
  return async function readCandidate(input: { account: string; userId: string }): Promise<{ adopted: string[] }> {
    return { adopted: await readNamedUser(dependencies, input) };
  };
}

/** Answers the cases that the user is of. */
async function readNamedUser(
  dependencies: ActivityDependencies,
  { account, userId }: { account: string; userId: string },
): Promise<string[]> {
  const { database } = dependencies;
  // Users of other programs may be hidden from payrun: they are no reason to try again at once.
  const user = await readUserOr(dependencies, account, userId);
  if ('failure' in user || user.email === null) {
    await noteCandidate(database, account, { userId, result: 'failure' in user ? user.is : 'unreadable' });
    return [];
  }
  const adopted: string[] = [];
  const hmacOf = await mailIndex(database, configuredKeys(dependencies));
  for (const record of await listUnknownCases(database, account, hmacOf(user.email))) {
    if ((await differenceOf(dependencies, record, user)) !== null) continue;
    const isAdopted = await inTransaction(database, async (transaction) => {
      const said = await readConfirmedManualOutcome(transaction, record.caseId);
      if (said !== null) await closeCaseManualOutcome(transaction, said, 'contradicted', FOUND_MEANWHILE);
      return adopt(transaction, record, user);
    });
    if (isAdopted) adopted.push(record.caseId);
  }
  await noteCandidate(database, account, { userId, result: 'shown' });
  return adopted;
}
