import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { CONVERSION_STATE_TABLE, type ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { Violation } from './checks.ts';
import type { ProviderConversion } from './simulated-conversions.ts';
import { boughtForRuns } from './other-schedules.ts';
import { BOUGHT, FIRST_BALANCE, LEVEL } from './schedules.ts';
import type { World } from './world.ts';

/** What must hold of conversions and schedules after every event. */

/** Amounts are in minor units. */
export interface RecordedOrder {
  id: string;
  state: ConversionState;
  attempt: number;
  sell: string;
  /** It has not ended, or is looked at for some time after that. */
  isLookedAt: boolean;
  committed: number;
  uncovered: number;
}

/** As JSON, of the account $1. */
export const ORDERS = `(select coalesce(json_agg(json_build_object('id', order_id, 'state', state, 'attempt', attempt, 'sell', sell_currency,
    'isLookedAt', conversion_is_looked_at(state, ended_at, named_at),
    'committed', round(100 * coalesce(held.amount, 0)), 'uncovered', round(100 * coalesce(held.uncovered, 0)))), '[]')
  from conversion_orders left join ledger_balances held
    on held.account = $1 and held.currency = sell_currency and ledger_account = 'conversion/' || order_id
  where conversion_orders.account = $1)`;

interface ConversionFacts {
  orders: RecordedOrder[];
  seenLines: string[];
  isBegunAgain: boolean;
}

export function checkConversions(world: World, facts: ConversionFacts): Violation | null {
  return (
    convertedTwice(world, facts) ??
    boughtTwice(world) ??
    boughtForRuns(world) ??
    orderEndedWhileOpen(world, facts) ??
    countedTwice(world, facts) ??
    countedAsFree(world, facts)
  );
}

/** The provider's conversions of an order. */
export function conversionsOf(
  { provider }: World,
  { id, attempt }: Pick<RecordedOrder, 'id' | 'attempt'>,
): ProviderConversion[] {
  const references = new Set(Array.from({ length: attempt }, (_, n) => referenceIdOf(id, n + 1)));
  return provider.conversions.all.filter(({ referenceId }) => references.has(referenceId));
}

/** The money of an order is taken once. */
function convertedTwice(world: World, { orders }: ConversionFacts): Violation | null {
  for (const order of orders) {
    const debits = conversionsOf(world, order).flatMap(({ lineIds }) => lineIds);
    if (debits.length > 1) return { rule: 'funded_twice', detail: `order ${order.id}: ${debits.join(', ')}` };
  }
  return null;
}

/** What schedules have bought is at most what was missing to their level. */
function boughtTwice({ provider }: World): Violation | null {
  const bought = provider.conversions.all.filter(
    ({ pair, lineIds }) => pair.buyCurrency === BOUGHT && lineIds.length > 0,
  );
  const sum = bought.reduce((all, { buy }) => all + buy, 0);
  if (sum <= LEVEL - FIRST_BALANCE) return null;
  return { rule: 'bought_twice', detail: `${sum} ${BOUGHT}: ${bought.map(({ id }) => id).join(', ')}` };
}

/** No order has ended, and is looked at no more, while its money was taken or may be. */
function orderEndedWhileOpen(world: World, { orders }: ConversionFacts): Violation | null {
  for (const order of orders) {
    const { amounts, stage } = CONVERSION_STATE_TABLE[order.state];
    if (stage !== 'ended' || amounts.haveLeft || order.isLookedAt) continue;
    const open = conversionsOf(world, order).find(
      ({ lineIds, cutOffMs }) => lineIds.length > 0 || (order.state !== 'lapsed' && cutOffMs > world.place.time.now()),
    );
    const references = Array.from({ length: order.attempt }, (_, n) => referenceIdOf(order.id, n + 1));
    const pending = world.provider.pending.find(
      ({ referenceId, untilMs = Infinity }) => references.includes(referenceId) && untilMs > world.place.time.now(),
    );
    const why = open === undefined ? pending && `it is asked to ${pending.kind} it` : `${open.id} is there`;
    if (why !== undefined)
      return { rule: 'ended_while_payable', detail: `order ${order.id} is ${order.state}, and ${why}` };
  }
  return null;
}

/** What is committed to an order is at most what the provider may still take for it. */
function countedTwice(world: World, { orders, seenLines }: ConversionFacts): Violation | null {
  const seen = new Set(seenLines);
  for (const order of orders) {
    if (order.committed === 0) continue;
    const debits = conversionsOf(world, order).flatMap(({ lineIds }) => lineIds);
    if (debits.length === 0 || !debits.every((id) => seen.has(id))) continue;
    return { rule: 'counted_twice', detail: `order ${order.id}: ${order.committed} is committed, and it was taken` };
  }
  return null;
}

/** What was taken and is not in the history yet is committed. */
function countedAsFree(world: World, { orders, seenLines, isBegunAgain }: ConversionFacts): Violation | null {
  if (isBegunAgain) return null;
  const seen = new Set(seenLines);
  const lines = new Map(world.provider.history.map((line) => [line.id, line]));
  for (const order of orders) {
    const unseen = conversionsOf(world, order)
      .flatMap(({ lineIds }) => lineIds)
      .flatMap((id) => (seen.has(id) ? [] : (lines.get(id) ?? [])));
    const taken = unseen.reduce((sum, { before, after }) => sum + before - after, 0);
    const kept = order.committed + order.uncovered;
    if (taken > kept)
      return { rule: 'counted_as_free', detail: `order ${order.id}: ${taken} was taken, and ${kept} is committed` };
  }
  return null;
}
