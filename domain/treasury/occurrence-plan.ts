import { MAX_SWEEP_QUOTES, sweepQuote } from './conversion-amount.ts';
import type { ConversionOrder } from './conversion-order.ts';
import type { QuotedPair } from './indicative-prices.ts';

/** A price that an occurrence asks for to plan with. */
interface QuoteAsked {
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: ConversionOrder['fixedSide'];
  amount: string;
}

/** `answer` null: the provider refuses it; absent: there is none yet. */
export interface PlannedQuote extends QuoteAsked {
  answer?: { totalAmount: string; buyAmount: string } | null;
}

/** What an occurrence has found out for its orders, as the record has it: no workflow carries any of it. */
export interface OccurrencePlan {
  /** A code: why it places no order. Null: nothing is known that keeps it from placing some. */
  why: string | null;
  quotes: PlannedQuote[];
  /** Of a sweep: the decimals of what it sells. Null: it is none. */
  sweepDecimals: number | null;
}

export const NO_PLAN: OccurrencePlan = { why: null, quotes: [], sweepDecimals: null };

/** How many prices are asked for at most. */
export function quotesToAsk({ quotes, sweepDecimals }: OccurrencePlan): number {
  return sweepDecimals === null ? quotes.length : MAX_SWEEP_QUOTES;
}

/** The plan with the answer to one of its quotes, and with the next one, where a sweep has to ask for less. */
export function answered(plan: OccurrencePlan, n: number, answer: PlannedQuote['answer']): OccurrencePlan {
  const quotes = plan.quotes.map((quote, position) => (position === n ? { ...quote, answer } : quote));
  const found = sweepFound({ ...plan, quotes });
  return { ...plan, quotes: 'next' in found ? [...quotes, found.next] : quotes };
}

/** The prices that the provider gave. */
export function quotedPairs({ quotes }: OccurrencePlan): QuotedPair[] {
  return quotes.flatMap(({ sellCurrency: sell, buyCurrency: buy, answer = null }) =>
    answer === null ? [] : [{ sell, buy, ...answer }],
  );
}

export type SweepFound =
  /** What may leave the balance, and what is sold so that the fees fit as well. */
  { surplus: string; amount: string } | { why: string } | { next: QuoteAsked };

/** What the quotes of a sweep come to: how much can be sold so that the floor stays with the fees. */
export function sweepFound({ quotes, sweepDecimals }: OccurrencePlan): SweepFound {
  const [first, last] = [quotes[0], quotes.at(-1)];
  // guard: sweep-by-a-price
  if (first === undefined || last?.answer === undefined || sweepDecimals === null) return { why: 'no_quote' };
  if (last.answer === null) return { why: 'quote_refused' };
  const { answer, ...asked } = last;
  const surplus = first.amount;
  const verdict = sweepQuote(
    { surplus, asked: asked.amount, total: answer.totalAmount, quotes: quotes.length },
    sweepDecimals,
  );
  if (verdict.kind === 'does_not_fit') return { why: 'sweep_does_not_fit' };
  return verdict.kind === 'fits' ? { surplus, amount: asked.amount } : { next: { ...asked, amount: verdict.amount } };
}
