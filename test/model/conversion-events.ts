import { createConversionActivity } from '../../activities/treasury/create-conversion.ts';
import { fundConversionActivity } from '../../activities/treasury/fund-conversion.ts';
import { judgeFundingActivity } from '../../activities/treasury/judge-funding.ts';
import { readConversionActivity } from '../../activities/treasury/read-conversion.ts';
import { resolveConversionCreationActivity } from '../../activities/treasury/resolve-conversion-creation.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { startOccurrenceAs } from '../../store/treasury/occurrences.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { carryOut } from './carry-out-occurrence.ts';
import { lookAtOrder } from './conversion-workflow.ts';
import type { Event } from './event.ts';
import { tryActivity } from './payment-workflow.ts';
import { unlessRefused } from './people-events.ts';
import { addSchedules } from './schedules.ts';
import type { Order, World } from './world.ts';

/** What workers and the provider do with orders to convert, and with schedules. */

/** An order does its next steps: without a pause as long as they change something. */
export const orderSteps: Event = async (world) => {
  const order = world.dice.pickOrNull([...world.orders.values()].filter(({ isStepping }) => !isStepping));
  if (order === null) return false;
  for (let looks = 1 + world.dice.below(3); looks > 0; looks -= 1) if (!(await lookAt(world, order))) return false;
  return true;
};

export async function lookAt({ account, dependencies }: World, order: Order): Promise<boolean> {
  if (order.isStepping) return false;
  order.isStepping = true;
  try {
    const { orderId } = order;
    return !(await lookAtOrder(dependencies, { orderId, account })).hasEnded;
  } finally {
    order.isStepping = false;
  }
}

/** A worker that was thought dead does a step that another one has done, or does just now. */
export const strayOrderActivity: Event = async (world) => {
  const order = world.dice.pickOrNull([...world.orders.values()]);
  if (order === null) return false;
  const activity = world.dice.pick([
    createConversionActivity,
    fundConversionActivity,
    judgeFundingActivity,
    readConversionActivity,
    resolveConversionCreationActivity,
  ]);
  const { conversionId } = await readOrder(world.place.asWorker, order.orderId);
  // Of one that is known nobody looks the creation up: it would be refused as a defect.
  if (activity === resolveConversionCreationActivity && conversionId !== null) return false;
  await tryActivity<unknown>(() => activity(world.dependencies)({ orderId: order.orderId }));
  return true;
};

/** An occurrence of a schedule, started by hand: when it is due plays no part in what it buys. */
export const occurrence: Event = async (world) => {
  if (world.schedules.length === 0) await addSchedules(world);
  const scheduleId = world.dice.pick(world.schedules);
  const { asServer, people, time } = world.place;
  const occurrenceId = world.uuid();
  const of = { scheduleId, occurrenceId, localDate: dayOf(time.now()), slot: 0, movedFrom: [], calendarVersion: 0 };
  if (!(await unlessRefused(startOccurrenceAs(asServer, people.secondTreasurer.tokenHash, of)))) return false;
  await carryOut(world, { scheduleId, occurrenceId });
  return true;
};

/** The provider carries out one that is funded. */
export const conversionCompletes: Event = ({ provider, dice }) => {
  const conversion = dice.pickOrNull(
    provider.conversions.all.filter(({ status, lineIds }) => status === 'awaiting_funds' && lineIds.length > 0),
  );
  if (conversion === null) return false;
  provider.conversions.complete(conversion, dice.chance(0.7));
  return true;
};

/** The bought money comes. */
export const conversionIsCredited: Event = ({ provider, dice }) => {
  const conversion = dice.pickOrNull(
    provider.conversions.all.filter(({ status, isCredited }) => status === 'completed' && !isCredited),
  );
  if (conversion === null) return false;
  provider.conversions.credit(conversion);
  return true;
};
