import type { CostBound } from '../approvals/cost-bound.ts';
import { counted } from '../counted.ts';

/** What a run would do, for its approvers. Amounts are decimal strings with the decimal places of the currency. */

/** Rows that fix an amount of a currency: what is spent and what is received are never added up. */
export interface CurrencyTotal {
  currency: string;
  /** `sell`: it is to be spent; `buy`: it is to be received. */
  side: 'sell' | 'buy';
  rows: number;
  amount: string;
}

export interface FundsNeed {
  currency: string;
  /** What rows are expected to take, with `fees`; of rows without a price what they fix to be spent, without fees. */
  needed: string;
  /** Of it, the fees that are expected. */
  fees: string;
  /** Rows without a price: their fees, and what those cost that fix the amount received, are known when each is quoted. */
  unquotedRows: number;
  /** The balance at the provider; null when it could not be read. */
  balance: string | null;
  /** What other runs that are approved and not ended still need of the balance. */
  committed: string;
  /** Of it, what is reserved for rows that are due later than all of this run: it yields to them. */
  dueLater: string;
}

/** What rows are expected to cost by one indicative price: what is sold and what is received are different sums. */
export interface ExpectedCost {
  sellCurrency: string;
  buyCurrency: string;
  /** As rows name it, or the local one where there is one; null: not known, the provider decides. */
  channel: string | null;
  rows: number;
  /** Null: the price is not known. */
  sells: string | null;
  fees: string | null;
  buys: string | null;
  /** What one unit sold buys. */
  rate: string | null;
  /** When it was quoted. ISO 8601. */
  quotedAt: string | null;
}

/** Rows that are due on one day. payrun sends them on it, also where banks are closed. */
export interface DueDate {
  /** YYYY-MM-DD, in the time zone of the account. */
  date: string;
  /** In English: "Saturday". */
  weekday: string;
  /** Due as soon as the run is approved: `date` is the day of the proposal then. */
  isAtOnce: boolean;
  rows: number;
  /** Currencies in which banks do no business on that day, and the rows that sell or buy them. */
  closed: { currency: string; rows: number }[];
  /** Currencies of which that is not known. */
  notKnown: string[];
}

export interface DueDates {
  /** The first ones. */
  dates: DueDate[];
  /** How many others there are, and their rows. */
  laterDates: number;
  laterRows: number;
  /** The last of all; null: no row is due. */
  lastDate: string | null;
}

/** Rows that wait for a day that is still to come, and the last of these days. */
export interface DueLater {
  rows: number;
  lastDate: string;
}

/** What of a run waits for days after `today`, both in the time zone of the account; null: nothing. */
export function dueAfter({ dates, laterDates, laterRows, lastDate }: DueDates, today: string): DueLater | null {
  if (lastDate === null || lastDate <= today) return null;
  const named = dates.filter(({ date }) => date > today);
  // Dates that are not named come after those that are: of them only the last is known.
  const rows = named.reduce((sum, due) => sum + due.rows, laterDates === 0 ? 0 : laterRows);
  return { rows, lastDate };
}

export interface RunProposal {
  /** When its balances, other runs and the use of the day's requests were read. ISO 8601. */
  composedAt: string;
  rows: number;
  payable: number;
  onHold: number;
  /** By the currency and side that rows fix, the most rows first. */
  totals: CurrencyTotal[];
  funds: FundsNeed[];
  /** By pair and channel. Nothing is paid by these prices: each payment has a quote of its own. */
  costs: ExpectedCost[];
  /** What is sent only within it. */
  costBound: CostBound;
  due: DueDates;
  /** Requests to the provider: quotes, creations, fundings, new beneficiaries, uploads, and a share for confirming. */
  requests: number;
  /** Seconds until all is sent at the provider's limit, after what other runs still have to send. Days that are waited for do not count. */
  durationSeconds: number;
  /** How long the provider's latest answers took, of which `durationSeconds` is computed; null: none was measured, and it counts as no time. */
  roundTripMs: number | null;
  warnings: string[];
  /** What an approval is bound to: SHA-256 over every row to be paid, in order, and what each may cost. */
  contentHash: string;
}

/** Of a total, after its amount. */
export const SIDE_IN_WORDS = { sell: 'to be spent', buy: 'to be received' } as const;

/** Of dates: payrun knows no cut-offs in advance. */
export const CUT_OFFS_IN_WORDS =
  'Cut-offs are not known yet: the provider names one for each payment, when it is created. payrun sends on the day itself, also where banks are closed.';

/** Of the time to send, how it is computed; empty: there is no limit. */
export function timeInWords({ durationSeconds, roundTripMs, due }: RunProposal): string {
  if (durationSeconds === 0) return '';
  const answers =
    roundTripMs === null
      ? 'no answer of the provider was measured yet'
      : `the provider lately answered within ${roundTripMs} ms`;
  const waits = due.dates.some(({ isAtOnce }) => !isAtOnce) ? ', without the days that rows wait for' : '';
  return `at the limit; ${answers}${waits}`;
}

/** Where banks are closed on a day, in words; null: nowhere, as far as is known. */
export function banksInWords({ rows, closed, notKnown }: DueDate): string | null {
  const where = closed.map((each) =>
    each.rows === rows ? each.currency : `${each.currency} (${counted(each.rows, 'row')})`,
  );
  const parts = [
    ...(where.length === 0 ? [] : [`closed: ${where.join(', ')}`]),
    ...(notKnown.length === 0 ? [] : [`not known: ${notKnown.join(', ')}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}
