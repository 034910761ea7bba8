import type { PaymentState } from '../payments/payment-state.ts';
import type { ShownAccount } from '../beneficiaries/known-beneficiary.ts';

/**
 * Findings about a run, for its approvers. They contain names and bank accounts, so they are stored only in Postgres and
 * shown only to users who may read instructions.
 */

/** Kinds about rows that nobody should approve without looking, the most alarming first. */
const ALARMING_MARKS = [
  'row_unreadable',
  'account_changed',
  'look_alike',
  'names_not_compared',
  'routing_changed',
  'account_has_other_names',
  'invoice_paid_before',
  'released_duplicate',
  'details_unknown',
  'unusual_amount',
] as const;

/** Kinds that mark the rows they are about. */
export const ROW_MARKS = [
  ...ALARMING_MARKS,
  'check_warning',
  'similar_payment',
  'failed_before',
  'new_beneficiary',
] as const;
export type RowMark = (typeof ROW_MARKS)[number];

/** Kinds about the run as a whole: each is alarming, and marks no rows. */
const RUN_KINDS = ['file_submitted_before', 'split_below_rule', 'new_profile'] as const;

/** In the order in which they are shown. */
export const FINDING_KINDS = [...RUN_KINDS, ...ROW_MARKS, 'file_notes', 'pays_later'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export function isAlarming(kind: FindingKind): boolean {
  return isAboutTheRun(kind) || (ALARMING_MARKS as readonly FindingKind[]).includes(kind);
}

/** Whether an approver says how it was checked: of a released duplicate the release has said it. */
export function takesAnswer(kind: FindingKind): boolean {
  return isAlarming(kind) && kind !== 'released_duplicate';
}

export function isAboutTheRun(kind: FindingKind): kind is (typeof RUN_KINDS)[number] {
  return (RUN_KINDS as readonly FindingKind[]).includes(kind);
}

/** Why a bank account cannot be shown: the provider was not asked, has no such beneficiary, or shows no account. */
export const UNKNOWN_REASONS = ['not_read', 'no_such_beneficiary', 'no_account_shown'] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** A decimal string, in the currency of the fixed side of the rows. */
export interface FoundAmount {
  currency: string;
  amount: string;
}

/** The rows that a finding is about. */
export interface FoundRows {
  /** Names the finding among those of its run: `account_changed:12`, of its kind and the line of its first row. */
  id: string;
  /** The first 100 row references, in the order of the file. */
  rows: string[];
  rowCount: number;
  /** Their sums by currency. */
  amounts: FoundAmount[];
}

/** The file, and the same sheet or block of it, was submitted before, in runs that were neither rejected nor expired. */
export interface FileSubmittedBefore {
  kind: 'file_submitted_before';
  /** The latest ten, the latest first. */
  runs: EarlierRun[];
  runCount: number;
}

/** With what the maker submitted for the account within seven days, the policy would ask for other steps. While it is undecided. */
export interface SplitBelowRule {
  kind: 'split_below_rule';
  currency: string;
  /** The names of the rules: of this run, and of all together. Null: no rule covers it. */
  rule: string | null;
  ruleTogether: string | null;
  /** A decimal string: the sum of this run and the others. */
  total: string;
  /** The latest ten others, the latest first. None: rows of this run pay one bank account in parts. */
  runs: EarlierRun[];
  runCount: number;
}

/** The profile that read the sheet decides who is paid or how much, and no run that it read was approved before. */
export interface NewProfile {
  kind: 'new_profile';
  name: string;
  /** Its first 12 letters. */
  hash: string;
  /** It takes the place of one that was approved for the same headers: what differs is listed alone. */
  isChange: boolean;
  /** What fills each column of beneficiary, bank and amount; of a change, all that differs. Null: nothing. Empty: it cannot be read. */
  columns: { column: string; from: string | null; before: string | null }[];
  /** How 1234.56 is written; null: nothing says it, or it is as before. */
  amounts: string | null;
}

/** What is to be known of the file, in no row that would be paid: lines that were left out, hidden sheets and the like. */
export interface FileNotes {
  kind: 'file_notes';
  /** The first hundred. */
  notes: { line: number; problem: string }[];
  noteCount: number;
}

export interface EarlierRun {
  runId: string;
  fileName: string;
  /** ISO 8601. */
  submittedAt: string;
  /** The name of a user. */
  submittedBy: string;
}

export interface AccountChanged extends FoundRows {
  kind: 'account_changed';
  name: string;
  /** The other account that was last paid under this name, or approved to be paid; null if unknown. */
  from: ShownAccount | null;
  /** How many other accounts were paid under this name before, or approved to be paid. */
  fromCount: number;
  to: ShownAccount;
  /** Whether the banks are in different countries. */
  isOtherCountry: boolean;
  /** YYYY-MM-DD, UTC: when something was last paid under this name. Null: it was approved to be paid, and is not yet. */
  lastPaidOn: string | null;
}

/** A name that people take for another one that was paid to other accounts, or that is in the same file with another account. */
export interface LookAlikeFound extends FoundRows {
  kind: 'look_alike';
  name: string;
  account: ShownAccount;
  /** The other name, and its account; null if unknown. */
  like: string;
  likeAccount: ShownAccount | null;
  /**
   * YYYY-MM-DD, UTC: when the other one was last paid. Null: it is in this run, in the row `likeRow`, or confirmed in the book under `likeKey`,
   * or was approved and is not paid yet.
   */
  lastPaidOn: string | null;
  likeRow: string | null;
  likeKey: string | null;
}

/** An account paid before under this name, but with another holder, other bank codes or another intermediary bank. */
export interface RoutingChanged extends FoundRows {
  kind: 'routing_changed';
  name: string;
  /** As it was last paid; null if unknown. */
  from: ShownAccount | null;
  to: ShownAccount;
  /** YYYY-MM-DD, UTC: when this account was last paid under this name. */
  lastPaidOn: string;
}

export interface AccountOfAnotherName extends FoundRows {
  kind: 'account_has_other_names';
  account: ShownAccount;
  /** The names in this run, in the order of the file: the first 100. */
  names: { name: string; rows: string[]; rowCount: number }[];
  nameCount: number;
  /** The names under which the account was paid before, the first 100, the latest first. Null: it was never paid. */
  paidBefore: { names: string[]; nameCount: number; lastPaidOn: string } | null;
}

/** A row that pays what a row pays now, or nearly. */
export interface EarlierPayment {
  runId: string;
  /** Null: it is in this run. */
  fileName: string | null;
  rowRef: string;
  /** The account with the provider from which it is paid. */
  account: string;
  currency: string;
  amount: string;
  state: PaymentState;
  /** Null: it was erased. */
  reference: string | null;
  /** YYYY-MM-DD, UTC; null: its money has not left. */
  paidOn: string | null;
}

interface PaidEarlier extends FoundRows {
  name: string;
  /** The latest ten, the latest first. */
  earlier: EarlierPayment[];
  /** How many there are: eleven may be more. */
  earlierCount: number;
}

/** The number of the invoice, however it is written, was paid to this beneficiary, whatever the amount, or another row pays it. */
export interface InvoicePaidBefore extends PaidEarlier {
  kind: 'invoice_paid_before';
}

/** Nearly the same amount was paid to the account lately, or the same reference several times. */
export interface SimilarPayment extends PaidEarlier {
  kind: 'similar_payment';
}

/** Suspected duplicates that a checker released in one act, which is the answer to them. */
export interface ReleasedDuplicate extends FoundRows {
  kind: 'released_duplicate';
  name: string;
  releasedBy: string;
  /** Null: the remark was erased. */
  reason: string | null;
}

export interface DetailsUnknown extends FoundRows {
  kind: 'details_unknown';
  beneficiaryId: string;
  reason: UnknownReason;
}

export interface UnusualAmount extends FoundRows {
  kind: 'unusual_amount';
  name: string;
  /** The largest of the last amounts paid to the beneficiary, in the currency of the row. */
  largestBefore: string;
}

/** What the check of the file warned of. One finding for each warning, with the cells that it is about. */
export interface CheckWarning extends FoundRows {
  kind: 'check_warning';
  /** See docs/errors.md. */
  code: string;
  /** Null: the whole line. */
  column: string | null;
  problem: string;
  fix: string;
  /** The first 100, in the order of the file. A value is personal data; null: there is none. */
  cells: { line: number; rowRef: string | null; value: string | null }[];
}

/**
 * Rows that are damaged, so that nobody can see whom they pay: the run cannot be approved. Rows with names that share so much with so many
 * others that they were not compared with all of them. Rows that failed or were rejected in an earlier run, and are the same in this one.
 */
export interface RowsFound<Kind extends 'row_unreadable' | 'names_not_compared' | 'failed_before'> extends FoundRows {
  /** One finding of each kind for all its rows. */
  kind: Kind;
}

export interface NewBeneficiary extends FoundRows {
  kind: 'new_beneficiary';
  name: string;
  account: ShownAccount;
}

export interface PaysLater extends Pick<FoundRows, 'id' | 'rowCount'> {
  kind: 'pays_later';
  /** YYYY-MM-DD. */
  day: string;
}

export type RunFinding =
  | FileSubmittedBefore
  | SplitBelowRule
  | NewProfile
  | FileNotes
  | AccountChanged
  | LookAlikeFound
  | RoutingChanged
  | AccountOfAnotherName
  | InvoicePaidBefore
  | ReleasedDuplicate
  | DetailsUnknown
  | UnusualAmount
  | CheckWarning
  | SimilarPayment
  | RowsFound<'row_unreadable'>
  | RowsFound<'names_not_compared'>
  | RowsFound<'failed_before'>
  | NewBeneficiary
  | PaysLater;

export interface RunReview {
  /** Of the content that the findings are about. An approval is bound to it. */
  contentHash: string;
  /** The first 1,000 of each kind, the most alarming kind first. */
  findings: RunFinding[];
  /** How many findings of a kind are not listed. */
  unlistedCounts: Partial<Record<FindingKind, number>>;
}
