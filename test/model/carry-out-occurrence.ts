import { beginOccurrenceActivity } from '../../activities/treasury/begin-occurrence.ts';
import { concludeOccurrenceActivity } from '../../activities/treasury/conclude-occurrence.ts';
import { placeScheduledOrdersActivity } from '../../activities/treasury/place-scheduled-orders.ts';
import { planOccurrenceActivity } from '../../activities/treasury/plan-occurrence.ts';
import { quotePairActivity } from '../../activities/treasury/quote-pair.ts';
import { readMoney } from './conversion-workflow.ts';
import { tryActivity } from './payment-workflow.ts';
import type { World } from './world.ts';

type Occurrence = { scheduleId: string; occurrenceId: string };

/** As the workflow of an occurrence does; what becomes of its orders is not waited for. */
export async function carryOut(world: World, { scheduleId, occurrenceId }: Occurrence): Promise<void> {
  const { account, dependencies } = world;
  const begin = beginOccurrenceActivity(dependencies);
  const begun = await tryActivity(() => begin({ scheduleId, occurrenceId, scheduledAtMs: null }));
  if (begun?.kind !== 'begun') return;
  if (begun.followsMoney) await readMoney(dependencies, { account });
  const plan = await tryActivity(() => planOccurrenceActivity(dependencies)({ occurrenceId }));
  if (plan === undefined) return;
  if (plan.why === null) {
    for (let n = 0; n < plan.quotes; n++) await tryActivity(() => quotePairActivity(dependencies)({ occurrenceId, n }));
    const placed = await tryActivity(() => placeScheduledOrdersActivity(dependencies)({ occurrenceId }));
    if (placed === undefined || placed.why === null) return;
  }
  await tryActivity(() => concludeOccurrenceActivity(dependencies)({ occurrenceId }));
}
