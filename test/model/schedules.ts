import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { scheduleHash } from '../../domain/treasury/scheduled-orders.ts';
import { saveReference } from '../../store/payment-file/reference-data.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { addScheduleAs, decideScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, TOP_UP } from '../domain/treasury-schedules.ts';
import { decimal } from './shown-values.ts';
import type { World } from './world.ts';

/** Nobody pays or takes out this currency, so that all that comes was bought. */
export const BOUGHT = 'SGD';
/** In minor units. */
export const FIRST_BALANCE = 10_000;
export const LEVEL = 40_000;

/** The provider's currencies were read. */
export async function knowCurrencies({ account, place: { asWorker } }: World): Promise<void> {
  const content = ['USD', 'EUR', BOUGHT].map((code) => ({ code, decimalPlaces: 2 }));
  const readAt = await beginReading(asWorker);
  await saveReference(asWorker, { account, kind: 'currencies', key: '', content, readAt });
}

/** Two people have decided on the schedule. Returns its id. */
export async function addConfirmed(world: World, schedule: Schedule): Promise<string> {
  const { asServer, people } = world.place;
  const scheduleId = world.uuid();
  await addScheduleAs(asServer, people.treasurer.tokenHash, { scheduleId, definition: canonicalJson(schedule) });
  await decideScheduleAs(asServer, people.secondTreasurer.tokenHash, scheduleId, {
    ...{ version: 1, definitionHash: scheduleHash(schedule), decision: 'confirmed', comment: null },
  });
  return scheduleId;
}

/** Two schedules: each buys for another currency what is missing to the same level. */
export async function addSchedules(world: World): Promise<void> {
  await knowCurrencies(world);
  for (const sell of ['USD', 'EUR']) {
    const schedule = aSchedule(TOP_UP, {
      ...{ name: `${world.account} ${sell}`, account: world.account, sell, buy: BOUGHT },
      ...{ level: decimal(LEVEL), max_order: '1000.00' },
    });
    world.schedules.push(await addConfirmed(world, schedule));
  }
}
