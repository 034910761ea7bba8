import type {
  AskedReconciliation,
  BookDay,
  BookDayQuery,
  DaySignature,
  OpeningFigure,
  ReconciliationProgress,
  ReconciliationRequest,
  ReportFile,
  ReportQuery,
  SignedDay,
} from '../../api/reconciliation/book-day.ts';
import type { BreakQuery, BreakSummary } from '../../api/reconciliation/break.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** The provider's history compared with the record, of the accounts that the user may use. */
export interface ReconciliationApplication {
  /** In their order. */
  listBookDays(user: SignedIn, query: BookDayQuery): Promise<BookDay[]>;
  /** Starts it; days that are reconciled later than `askedAt` show the result. */
  askForReconciliation(user: SignedIn, request: ReconciliationRequest): Promise<AskedReconciliation>;
  /** Of what was asked for, not of what is done every day. */
  findReconciliation(user: SignedIn, account: string): Promise<ReconciliationProgress>;
  /** Throws `conflict` unless the books are those that were seen, and all days before are signed. */
  signBookDay(user: SignedIn, signature: DaySignature): Promise<SignedDay>;
  /** Throws `conflict` unless the history begins with this amount. */
  signOpening(user: SignedIn, figure: OpeningFigure): Promise<void>;
  /** The oldest first. */
  listBreaks(user: SignedIn, query: BreakQuery): Promise<BreakSummary[]>;
  assignBreak(user: SignedIn, breakId: string, login: string): Promise<BreakSummary>;
  explainBreak(user: SignedIn, breakId: string, reason: string): Promise<BreakSummary>;
  /** Throws `not_allowed` for who explained it. */
  closeBreak(user: SignedIn, breakId: string, explanationId: string): Promise<BreakSummary>;
  reopenBreak(user: SignedIn, breakId: string, reason: string | null): Promise<BreakSummary>;
  /** One file of a report, piece by piece. */
  reconciliationReport(user: SignedIn, file: ReportFile, query: ReportQuery): Promise<AsyncIterable<string>>;
}
