import type { AccountCash, CashQuery } from '../../api/treasury/cash.ts';
import { addDays } from '../../domain/calendar-date.ts';
import { cashView } from '../../domain/treasury/cash-view.ts';
import { businessDays } from '../../domain/treasury/currency-calendar.ts';
import { occurrenceReasonText } from '../../domain/treasury/occurrence-reasons.ts';
import { currenciesOf, type Schedule } from '../../domain/treasury/schedule.ts';
import { nextOccurrences } from '../../domain/treasury/schedule-dates.ts';
import { listBalances } from '../../store/accounts/balance-views.ts';
import { listSchedules } from '../../store/treasury/schedule-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { type CashToday, readCashToday } from './cash-situation.ts';
import { scheduleIn } from './schedule-views.ts';

/** Of a schedule, within the days of a view. */
const MAX_OCCURRENCES = 600;

/** What is free in each currency, day by day, by approved runs, active schedules and the money that the user expects. */
export async function viewCash(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  query: CashQuery,
): Promise<AccountCash[]> {
  const names = dependencies.accounts
    .map(({ name }) => name)
    .filter((name) => mayUse(user, name) && (query.account === null || query.account === name));
  const views: AccountCash[] = [];
  for (const account of names) views.push(await cashOf(dependencies, account, query));
  return views;
}

export async function cashOf(
  dependencies: ApplicationDependencies,
  account: string,
  { currency: only, days, expect }: Omit<CashQuery, 'account'>,
): Promise<AccountCash> {
  const cash = await readCashToday(dependencies, account);
  const { active, proposed } = await schedulesOf(dependencies, account);
  const known = new Map(cash.free.map((one) => [one.currency, one]));
  const held = new Map((await listBalances(dependencies.database, [account], null)).map((one) => [one.currency, one]));
  const named = [
    ...cash.plannedCosts.map(({ currency }) => currency),
    ...expect.map(({ currency }) => currency),
    ...active.flatMap(({ schedule }) => currenciesOf(schedule)),
  ];
  const currencies = [...new Set([...known.keys(), ...named])].filter((code) => cash.decimals.has(code)).sort();
  const view = cashView({
    from: cash.today,
    days,
    currencies: currencies.map((currency) => ({
      currency,
      decimals: cash.decimals.get(currency) ?? 0,
      free: known.get(currency)?.free ?? '0',
    })),
    plannedCosts: cash.plannedCosts,
    moneyIn: [...expect, ...cash.incoming],
    occurrences: occurrencesOf(dependencies, active, { cash, days }),
    priceOf: cash.priceOf,
    creditDays: cash.creditDays,
  });
  return {
    account,
    dates: view.dates,
    currencies: view.currencies
      .filter(({ currency }) => only === null || currency === only)
      .map((one) => ({
        ...one,
        isKnown: known.get(one.currency)?.historyStatus === 'complete',
        held: held.get(one.currency)?.lastAmount ?? null,
        committed: held.get(one.currency)?.committed ?? null,
        free: known.get(one.currency)?.free ?? '0',
      })),
    withoutConversion: view.withoutConversion.map(({ why, ...of }) => ({
      ...of,
      reason: why,
      message: occurrenceReasonText(why),
    })),
    warnings: warningsOf(cash, proposed),
  };
}

interface ActiveSchedule {
  scheduleId: string;
  schedule: Schedule;
}

/** Those that are active, and how many wait for a second person. */
async function schedulesOf(
  { database }: ApplicationDependencies,
  account: string,
): Promise<{ active: ActiveSchedule[]; proposed: number }> {
  const records = await listSchedules(database, { accounts: [account] });
  return {
    active: records.flatMap(({ scheduleId, state, inForce }) =>
      state === 'active' && inForce !== null ? [{ scheduleId, schedule: scheduleIn(inForce.definition) }] : [],
    ),
    proposed: records.filter((record) => record.proposed !== null).length,
  };
}

/** In the order of their times. */
function occurrencesOf(
  { calendars, now }: ApplicationDependencies,
  active: readonly ActiveSchedule[],
  { cash, days }: { cash: CashToday; days: number },
): { on: string; schedule: Schedule }[] {
  const last = addDays(cash.today, days - 1);
  return active
    .flatMap(({ scheduleId, schedule }) => {
      const isBusinessDay = businessDays(currenciesOf(schedule), calendars);
      const limits = { afterMs: now(), count: Math.min(MAX_OCCURRENCES, days * schedule.times.length) };
      return nextOccurrences({ scheduleId, timing: schedule }, limits, isBusinessDay)
        .map(({ at }) => ({ at, on: at.slice(0, 10), schedule }))
        .filter(({ on }) => on <= last);
    })
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ on, schedule }) => ({ on, schedule }));
}

function warningsOf({ unknownCosts, free }: CashToday, proposed: number): string[] {
  return [
    ...unknownCosts.map(
      ({ currency, rows }) =>
        `${rows} approved rows in ${currency} fix the amount received, and nothing of their currencies was quoted before: they count as nothing`,
    ),
    ...free
      .filter(({ historyStatus }) => historyStatus !== 'complete')
      .map(
        ({ currency }) => `what is free in ${currency} is the balance that was read last: its history is not followed`,
      ),
    ...(proposed === 0 ? [] : [`${proposed} schedules wait for a second person; what they propose is left out`]),
  ];
}
