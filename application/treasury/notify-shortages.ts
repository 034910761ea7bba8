import { CASH_VIEW_DAYS } from '../../domain/treasury/cash-view.ts';
import { recordShortages } from '../../store/treasury/cash-situation.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { atMostEvery } from '../at-most-every.ts';
import { cashOf } from './view-cash.ts';

const EVERY_MS = 15 * 60_000;

/** Notifies people ahead of time of currencies that will be short for what is approved, by the cash view of the next days. */
export function notifyingShortages(everyMs = EVERY_MS): (dependencies: ApplicationDependencies) => Promise<void> {
  return atMostEvery(everyMs, async (dependencies) => {
    for (const { name } of dependencies.accounts) await notifyShortages(dependencies, name);
  });
}

async function notifyShortages(dependencies: ApplicationDependencies, account: string): Promise<void> {
  const { currencies } = await cashOf(dependencies, account, { currency: null, days: CASH_VIEW_DAYS, expect: [] });
  const short = currencies.flatMap(({ currency, firstShortage }) =>
    firstShortage === null ? [] : [[currency, firstShortage] as const],
  );
  await recordShortages(dependencies.database, account, Object.fromEntries(short));
}
