import type {
  AskedReconciliation,
  BookDay,
  BookDayQuery,
  DaySignature,
  OpeningBalance,
  ReconciliationProgress,
  ReconciliationRequest,
  ReportFile,
  ReportQuery,
  SignedDay,
} from '../../api/reconciliation/book-day.ts';
import type { BreakQuery, BreakSummary } from '../../api/reconciliation/break.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { ReconciliationApplication } from '../../application/reconciliation/use-cases.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { FakeOnboarding } from './fake-onboarding.ts';

/** Books and breaks over plain memory. */
export class FakeReconciliation extends FakeOnboarding implements ReconciliationApplication {
  bookDays: BookDay[] = [];
  breaks: BreakSummary[] = [];

  async listBookDays(user: SignedIn, { account, from, to, open }: BookDayQuery): Promise<BookDay[]> {
    await this.meet('listBookDays');
    return this.bookDays.filter(
      (one) =>
        mayUse(user, one.account) &&
        (account === null || one.account === account) &&
        (!open || one.state !== 'closed') &&
        (from === null || one.day >= from) &&
        (to === null || one.day <= to),
    );
  }

  async askForReconciliation(user: SignedIn, request: ReconciliationRequest): Promise<AskedReconciliation> {
    await this.asked('askForReconciliation', user, request);
    return { account: request.account, askedAt: '2026-01-05T09:00:00.000Z', isUnderWay: false };
  }

  async findReconciliation(_user: SignedIn, account: string): Promise<ReconciliationProgress> {
    await this.meet('findReconciliation');
    return { account, isUnderWay: false, hasFailed: false };
  }

  async signBookDay(user: SignedIn, signature: DaySignature): Promise<SignedDay> {
    await this.asked('signBookDay', user, signature);
    const { account, day, contentHash } = signature;
    const index = this.bookDays.findIndex((one) => one.account === account && one.day === day);
    const found = this.bookDays[index];
    if (found?.contentHash !== contentHash) throw new ApplicationError('conflict', 'the books are not those');
    const state = Object.keys(found.openBreaks).length === 0 ? 'closed' : 'signed';
    const signedBy = { userId: user.userId, name: user.name };
    this.bookDays[index] = { ...found, state, signedBy, closedAt: state === 'closed' ? found.reconciledAt : null };
    return { state };
  }

  async signOpening(user: SignedIn, balance: OpeningBalance): Promise<void> {
    await this.asked('signOpening', user, balance);
  }

  async listBreaks(user: Pick<SignedIn, 'accounts'>, { state }: BreakQuery): Promise<BreakSummary[]> {
    await this.meet('listBreaks');
    const isShown = (one: BreakSummary): boolean =>
      state === 'all' || (state === 'unresolved' ? ['open', 'explained'].includes(one.state) : one.state === state);
    return this.breaks.filter((one) => mayUse(user, one.account) && isShown(one));
  }

  async assignBreak(user: SignedIn, breakId: string, login: string): Promise<BreakSummary> {
    return this.changeBreak('assignBreak', user, breakId, { owner: { userId: login, name: login } });
  }

  async explainBreak(user: SignedIn, breakId: string, reason: string): Promise<BreakSummary> {
    const explainedBy = { userId: user.userId, name: user.name };
    const explanationId = '018f2a00-0000-7000-8000-0000000000e1';
    return this.changeBreak('explainBreak', user, breakId, {
      state: 'explained',
      explanation: reason,
      explainedBy,
      explanationId,
    });
  }

  async closeBreak(user: SignedIn, breakId: string): Promise<BreakSummary> {
    return this.changeBreak('closeBreak', user, breakId, {
      state: 'closed',
      closedBy: { userId: user.userId, name: user.name },
    });
  }

  async reopenBreak(user: SignedIn, breakId: string): Promise<BreakSummary> {
    return this.changeBreak('reopenBreak', user, breakId, { state: 'open', explanation: null, explanationId: null });
  }

  async reconciliationReport(user: SignedIn, file: ReportFile, query: ReportQuery): Promise<AsyncIterable<string>> {
    await this.asked('reconciliationReport', user, { file, query });
    return (async function* () {
      yield await Promise.resolve(`${file} of ${query.from}\n`);
    })();
  }

  private async changeBreak(
    method: 'assignBreak' | 'explainBreak' | 'closeBreak' | 'reopenBreak',
    user: SignedIn,
    breakId: string,
    changed: Partial<BreakSummary>,
  ): Promise<BreakSummary> {
    await this.asked(method, user, { breakId, ...changed });
    const index = this.breaks.findIndex((one) => one.breakId === breakId);
    const found = this.breaks[index];
    if (found === undefined) throw new ApplicationError('not_found', 'there is no such break');
    const afterwards = { ...found, ...changed };
    this.breaks[index] = afterwards;
    return afterwards;
  }
}
