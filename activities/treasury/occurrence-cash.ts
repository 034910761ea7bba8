import type { QuotedPair } from '../../domain/treasury/indicative-prices.ts';
import type { CurrencyFact } from '../../domain/payment-file/reference-data.ts';
import type { Queryable } from '../../store/database/database.ts';
import { readReferences } from '../../store/payment-file/reference-data.ts';
import { type Cash, readCash } from '../../store/treasury/cash-situation.ts';

/** The provider's list of currencies was read when the schedule was added; decimals of a currency do not change. */
const ANY_AGE_MS = 10 * 365 * 86_400_000;

export interface OccurrenceCash extends Cash {
  decimals: ReadonlyMap<string, number>;
}

export async function readOccurrenceCash(
  database: Queryable,
  { account, nowMs, quotes = [] }: { account: string; nowMs: number; quotes?: readonly QuotedPair[] },
): Promise<OccurrenceCash> {
  const lists = await readReferences(database, account, ANY_AGE_MS);
  const currencies = lists
    .filter(({ kind }) => kind === 'currencies')
    .flatMap(({ content }) => content as CurrencyFact[]);
  const decimals = new Map(currencies.map(({ code, decimalPlaces }) => [code, decimalPlaces]));
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return { ...(await readCash(database, { account, today, decimals, quotes })), decimals };
}
