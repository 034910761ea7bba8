import { dayOf } from '../../domain/calendar-date.ts';
import { startOccurrenceAs } from '../../store/treasury/occurrences.ts';
import { aSchedule, FIXED_AMOUNT, FUND_RUN, SWEEP } from '../domain/treasury-schedules.ts';
import { carryOut } from './carry-out-occurrence.ts';
import type { Violation } from './checks.ts';
import type { Event } from './event.ts';
import { unlessRefused } from './people-events.ts';
import { addConfirmed, knowCurrencies } from './schedules.ts';
import type { World } from './world.ts';

/** Schedules that buy euros with dollars: a sweep, a fixed amount, and what approved runs need. They compete with payments for both. */

const KINDS = {
  sweep: { ...SWEEP, sell: 'USD', buy: 'EUR', floor: '400.00', max_order: '300.00' },
  fixed_amount: { ...FIXED_AMOUNT, sell: 'USD', buy: 'EUR', amount: '120.00', max_order: '150.00' },
  fund_run: {
    ...FUND_RUN,
    floors: { EUR: '0.00', USD: '0.00' },
    sources: [{ currency: 'USD', min_order: '1.00', max_order: '500.00' }],
  },
} as const;

const added = new WeakMap<World, Map<string, string>>();

/** An occurrence of one of them, started by hand. A fixed amount then waits for an approval of its own. */
export const otherOccurrence: Event = async (world) => {
  const kind = world.dice.pick(['sweep', 'fixed_amount', 'fund_run'] as const);
  const { asServer, people, time } = world.place;
  const known = added.get(world) ?? new Map<string, string>();
  added.set(world, known);
  let scheduleId = known.get(kind);
  if (scheduleId === undefined) {
    await knowCurrencies(world);
    const schedule = aSchedule(KINDS[kind], { name: `${world.account} ${kind}`, account: world.account });
    scheduleId = await addConfirmed(world, schedule);
    known.set(kind, scheduleId);
  }
  const occurrenceId = world.uuid();
  const of = { scheduleId, occurrenceId, localDate: dayOf(time.now()), slot: 0, movedFrom: [], calendarVersion: 0 };
  if (!(await unlessRefused(startOccurrenceAs(asServer, people.secondTreasurer.tokenHash, of)))) return false;
  await carryOut(world, { scheduleId, occurrenceId });
  return true;
};

/** Fees and a margin come on top of what rows take. */
const MOST_PER_NEED = 1.5;

/** What was bought for runs is at most what their rows need, each submission of a row by itself. Nothing else buys a fixed amount of euros. */
export function boughtForRuns({ provider, rows }: World): Violation | null {
  const bought = provider.conversions.all.filter(
    ({ pair, lineIds }) => pair.buyCurrency === 'EUR' && pair.fixedSide === 'buy' && lineIds.length > 0,
  );
  if (bought.length === 0) return null;
  const sum = bought.reduce((all, { buy }) => all + buy, 0);
  const needed = rows.reduce((all, { need }) => all + (need.currency === 'EUR' ? need.amount : 0), 0);
  if (sum <= needed * MOST_PER_NEED) return null;
  return { rule: 'bought_twice', detail: `${sum} EUR for ${needed}: ${bought.map(({ id }) => id).join(', ')}` };
}
