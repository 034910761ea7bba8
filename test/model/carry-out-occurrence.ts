import { beginOccurrenceActivity } from '../../activities/treasury/begin-occurrence.ts';
import { concludeOccurrenceActivity } from '../../activities/treasury/conclude-occurrence.ts';
import { placeScheduledOrdersActivity } from '../../activities/treasury/place-scheduled-orders.ts';
import { type OccurrencePlan, planOccurrenceActivity } from '../../activities/treasury/plan-occurrence.ts';
import { quotePairActivity } from '../../activities/treasury/quote-pair.ts';
import { sweepQuote } from '../../domain/treasury/conversion-amount.ts';
import type { QuotedPair } from '../../domain/treasury/indicative-prices.ts';
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
  const why = plan === undefined ? undefined : await placeOrders(world, occurrenceId, plan);
  if (why === undefined || why === null) return;
  await tryActivity(() => concludeOccurrenceActivity(dependencies)({ occurrenceId, why }));
}

/** Why there is no order; null: there are some; undefined: the workflow was lost. */
async function placeOrders(
  world: World,
  occurrenceId: string,
  plan: OccurrencePlan,
): Promise<string | null | undefined> {
  const { account, dependencies } = world;
  const place = placeScheduledOrdersActivity(dependencies);
  const quotePair = quotePairActivity(dependencies);
  if (plan.kind === 'no_order') return plan.why;
  if (plan.kind === 'sweep') return sweep(world, occurrenceId, plan);
  const quotes: QuotedPair[] = [];
  for (const quote of plan.quotes) {
    const quoted = await tryActivity(() => quotePair({ account, quote }));
    if (quoted !== undefined && quoted !== null) quotes.push(quoted);
  }
  return (await tryActivity(() => place({ occurrenceId, quotes })))?.why;
}

async function sweep(
  { account, dependencies }: World,
  occurrenceId: string,
  { quote, decimals }: Extract<OccurrencePlan, { kind: 'sweep' }>,
): Promise<string | null | undefined> {
  const quotePair = quotePairActivity(dependencies);
  const surplus = quote.amount;
  let amount = surplus;
  for (let quotes = 1; ; quotes++) {
    const quoted = await tryActivity(() => quotePair({ account, quote: { ...quote, amount } }));
    if (quoted === undefined) return 'no_quote';
    if (quoted === null) return 'quote_refused';
    const verdict = sweepQuote({ surplus, asked: amount, total: quoted.totalAmount, quotes }, decimals);
    if (verdict.kind === 'does_not_fit') return 'sweep_does_not_fit';
    if (verdict.kind === 'fits') {
      const placed = { occurrenceId, quotes: [quoted], sweep: { surplus, amount } };
      return (await tryActivity(() => placeScheduledOrdersActivity(dependencies)(placed)))?.why;
    }
    amount = verdict.amount;
  }
}
