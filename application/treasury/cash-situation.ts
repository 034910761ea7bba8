import { type Cash, readCash } from '../../store/treasury/cash-situation.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { knownReferenceData } from '../payment-file/known-reference-data.ts';

/** The money of an account at this moment, with the decimals of the provider's list. */
export interface CashToday extends Cash {
  /** YYYY-MM-DD, in the time zone of the account. */
  today: string;
  decimals: ReadonlyMap<string, number>;
}

export async function readCashToday(dependencies: ApplicationDependencies, account: string): Promise<CashToday> {
  const { database, now } = dependencies;
  const { currencies } = await knownReferenceData(dependencies, account, []);
  const today = await readLocalDay(database, account, now());
  const decimals = new Map([...currencies].map(([code, { decimalPlaces }]) => [code, decimalPlaces]));
  return { ...(await readCash(database, { account, today, decimals })), today, decimals };
}
