import type { PostedHistory } from './posting-order.ts';
import type { Break } from './break.ts';
import type { Fact } from '../accounts/money-fact.ts';
import type { Form, Leg } from './leg.ts';
import type { LegMatch } from './leg-matching.ts';
import type { Movement } from './movement.ts';
import type { FormCounts } from './usual-forms.ts';

/** Balances that the provider showed, decimal strings; null if not known. */
export interface BalancePair {
  readonly opening: string | null;
  readonly closing: string | null;
}

/** What one account with the provider has to show for a time, in all its currencies. */
export interface ReconciliationInput {
  /** The stored history from `opening` to `closing`, in any order. */
  readonly movements: Iterable<Movement>;
  /** By currency. */
  readonly balances: Readonly<Record<string, BalancePair>>;
  /** What our record expects in this time, and what was left open before. */
  readonly facts: Iterable<Fact>;
  /** The provider's own lists of the time; those that our record knows by their provider's id serve as evidence. */
  readonly listed?: Iterable<Fact>;
  /** Ids of entries that an earlier reconciliation explained. */
  readonly explained?: ReadonlySet<string>;
  /** Ids of open entries that an earlier reconciliation found to be one too many, and of the fact that has its entries. */
  readonly suspectedDoubles?: ReadonlyMap<string, string>;
  readonly asOfMs: number;
  /** The forms that were usual on earlier days. */
  readonly knownForms?: FormCounts;
}

/** The history of one currency, ordered. */
export interface CurrencyChain extends BalancePair {
  readonly currency: string;
  readonly history: PostedHistory<Movement>;
  /** It leads from the opening to the closing balance. False if either is not known. */
  readonly isComplete: boolean;
}

export interface MatchedLeg {
  readonly leg: Leg;
  readonly movements: readonly Movement[];
  readonly form: Form;
  readonly isAmbiguous: boolean;
  readonly deviation: LegMatch['deviation'];
  /** The id of the funding that reported the same receipt as this deposit. */
  readonly otherReportId: string | null;
}

export interface Reconciliation {
  readonly chains: readonly CurrencyChain[];
  readonly matched: readonly MatchedLeg[];
  /** In the order of their types. */
  readonly breaks: readonly Break[];
  /** Carried forward, with the legs that are missing: they become breaks unless the other side appears within the lag. */
  readonly openFacts: readonly Fact[];
  readonly openEntries: readonly Movement[];
  /** Of the open entries, those that are one too many so far: their ids, and the fact that has its entries. */
  readonly suspectedDoubles: ReadonlyMap<string, string>;
  /** What this time showed about the usual forms. */
  readonly learntForms: FormCounts;
}
