import type { ShownAccount } from '../beneficiaries/known-beneficiary.ts';

/**
 * What stands out in a run, as those who decide on it are told. It names people and bank accounts: it lies in Postgres
 * alone, and goes to whoever may read instructions.
 */

/** In the order in which they are told: the most alarming first. */
export const FINDING_KINDS = [
  'account_changed',
  'routing_changed',
  'account_of_another_name',
  'released_duplicate',
  'details_unknown',
  'unusual_amount',
  'new_beneficiary',
  'pays_later',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Kinds that a row is marked with; a later day is a field of the row itself. */
export const ROW_MARKS = [
  'account_changed',
  'routing_changed',
  'account_of_another_name',
  'released_duplicate',
  'details_unknown',
  'unusual_amount',
  'new_beneficiary',
] as const satisfies readonly FindingKind[];
export type RowMark = (typeof ROW_MARKS)[number];

/** Kinds that nobody should approve unseen. */
const ALARMING: readonly FindingKind[] = [
  'account_changed',
  'routing_changed',
  'account_of_another_name',
  'released_duplicate',
  'details_unknown',
  'unusual_amount',
];

export function isAlarming(kind: FindingKind): boolean {
  return ALARMING.includes(kind);
}

/** Why the bank account of a beneficiary cannot be shown: nobody could ask, the id is none, or no account is shown. */
export const UNKNOWN_REASONS = ['not_read', 'no_such_beneficiary', 'no_account_shown'] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** A decimal string, in the currency of the side that the rows fix. */
export interface FoundAmount {
  currency: string;
  amount: string;
}

/** The rows that a finding is about. */
export interface FoundRows {
  /** Their references in the order of the file: the first 100. */
  rows: string[];
  rowCount: number;
  /** Their sums by currency. */
  amounts: FoundAmount[];
}

export interface AccountChanged extends FoundRows {
  kind: 'account_changed';
  name: string;
  /** The other account that was paid last under this name; null where it is not known. */
  from: ShownAccount | null;
  /** How many other accounts were paid under this name. */
  fromCount: number;
  to: ShownAccount;
  /** Whether the banks are in different countries. */
  isOtherCountry: boolean;
  /** YYYY-MM-DD, UTC: when something was last paid under this name. */
  lastPaidOn: string;
}

/** An account that was paid before under this name, with another holder, codes of the bank or bank in between. */
export interface RoutingChanged extends FoundRows {
  kind: 'routing_changed';
  name: string;
  /** As it was paid last; null where that is not known. */
  from: ShownAccount | null;
  to: ShownAccount;
  /** YYYY-MM-DD, UTC: when this account was last paid under this name. */
  lastPaidOn: string;
}

export interface AccountOfAnotherName extends FoundRows {
  kind: 'account_of_another_name';
  account: ShownAccount;
  /** The names in this run, in the order of the file: the first 100. */
  names: { name: string; rows: string[]; rowCount: number }[];
  nameCount: number;
  /** The names that were paid there before, the latest first: the first 100. Null: nothing was. */
  paidBefore: { names: string[]; nameCount: number; lastPaidOn: string } | null;
}

/** A suspected duplicate that a checker has released. */
export interface ReleasedDuplicate extends FoundRows {
  kind: 'released_duplicate';
  name: string;
  releasedBy: string;
  /** Null: it was erased. */
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
  /** The largest of the last amounts that were paid to the beneficiary, in the currency of the row. */
  largestBefore: string;
}

export interface NewBeneficiary extends FoundRows {
  kind: 'new_beneficiary';
  name: string;
  account: ShownAccount;
}

export interface PaysLater {
  kind: 'pays_later';
  /** YYYY-MM-DD. */
  day: string;
  rowCount: number;
}

export type RunFinding =
  | AccountChanged
  | RoutingChanged
  | AccountOfAnotherName
  | ReleasedDuplicate
  | DetailsUnknown
  | UnusualAmount
  | NewBeneficiary
  | PaysLater;

export interface RunReview {
  /** What the findings are about, and what an approval is bound to. */
  contentHash: string;
  /** By kind, the most alarming first; of each kind the first 1,000. */
  findings: RunFinding[];
  /** How many more there are of a kind than are listed. */
  more: Partial<Record<FindingKind, number>>;
}
