import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { conversionStatesWhere } from '../../domain/treasury/conversion-state.ts';
import { paymentsOf, type Violation } from './checks.ts';
import { conversionsOf } from './conversion-checks.ts';
import { lookAt } from './conversion-events.ts';
import { liftStop } from './people-events.ts';
import * as worker from './worker-events.ts';
import type { World } from './world.ts';

/** After the last event nothing fails any more, and time passes: everything ends, or people are told of it. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Each longer than what the rows wait for: visibility, the cut-off and the longest time without money. */
const PAUSES_MS = [2 * MINUTE, 26 * HOUR, 80 * HOUR];
const MAX_ROUNDS = 16;
const MAX_STEPS = 8;
const MAX_LOOKS = 4;
const BETWEEN_LOOKS_MS = 3 * MINUTE;
const STEP_MS = 3_000;
/** Longer than money stays committed to what was not seen. */
const WEEK_MS = 8 * 24 * HOUR;

export async function playQuietEnd(world: World): Promise<void> {
  world.isFaulty = false;
  const { provider, place } = world;
  for (let stops = 0; stops < 6 && (await liftStop(world)); stops += 1);
  for (const pending of [...provider.pending]) {
    if (world.dice.chance(0.5)) provider.carryOut(pending);
    else provider.drop([pending]);
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const open = await openRuns(world);
    const orders = await openOrders(world);
    if (round > 0 && !orders.some(({ isWaiting }) => isWaiting) && !open.some(({ hasOpenRows }) => hasOpenRows)) break;
    if (round > 0) place.time.pass(PAUSES_MS[Math.min(round, PAUSES_MS.length) - 1] ?? HOUR);
    await playRound(
      world,
      open.map(({ runId }) => runId),
    );
    await playOrders(
      world,
      orders.map(({ orderId }) => orderId),
    );
  }
  for (const passedMs of [WEEK_MS, HOUR]) {
    place.time.pass(passedMs);
    await worker.readHistory(world);
  }
}

async function playRound(world: World, open: readonly string[]): Promise<void> {
  const { provider } = world;
  for (const runId of open) await worker.begin(world, runId);
  for (const workflow of [...world.workflows.values()]) {
    for (let steps = 0; steps < MAX_STEPS && world.workflows.has(workflow.row.paymentId); steps += 1) {
      if (workflow.waitsFor === 'funds') break;
      await worker.step(world, workflow);
      world.place.time.pass(STEP_MS);
    }
  }
  for (const payment of provider.payments) if (payment.status === 'processing') provider.end(payment, 'completed');
  for (const refund of [...provider.owed]) provider.payOut(refund);
  await worker.poll(world);
  await worker.readBalances(world);
  await worker.readHistory(world);
  for (const runId of open) await worker.countRows(world, runId);
}

/** Runs that have not finished, or have rows to be paid. */
async function openRuns({ place, account }: World): Promise<{ runId: string; hasOpenRows: boolean }[]> {
  const { rows } = await place.database.query<{ runId: string; hasOpenRows: boolean }>(
    `select * from (select run_id as "runId", finished_at is null as "isOpen",
        exists (select from payments where payments.run_id = runs.run_id and payments.state <> all($2)) as "hasOpenRows"
      from runs where account = $1 and state <> 'in_approval') as open
     where "isOpen" or "hasOpenRows" order by 1`,
    [account, ENDED],
  );
  return rows;
}

async function playOrders(world: World, orders: readonly string[]): Promise<void> {
  const { conversions } = world.provider;
  for (let steps = 0; steps < MAX_LOOKS && orders.length > 0; steps += 1) {
    for (const orderId of orders) {
      const order = world.orders.get(orderId);
      if (order !== undefined) await lookAt(world, order);
    }
    for (const conversion of conversions.all) {
      if (conversion.status === 'awaiting_funds' && conversion.lineIds.length > 0)
        conversions.complete(conversion, true);
      else if (conversion.status === 'completed' && !conversion.isCredited) conversions.credit(conversion);
    }
    world.place.time.pass(BETWEEN_LOOKS_MS);
  }
}

/** Orders that are looked at. Those on hold are known to people, and those that have lapsed may run late. */
async function openOrders({ place, account }: World): Promise<{ orderId: string; isWaiting: boolean }[]> {
  const { rows } = await place.database.query<{ orderId: string; isWaiting: boolean }>(
    `select order_id as "orderId", state = any($2) as "isWaiting" from conversion_orders
     where account = $1 and conversion_is_looked_at(state, ended_at, named_at) order by order_id`,
    [account, WAITING_ORDERS],
  );
  return rows;
}

const WAITING_ORDERS = conversionStatesWhere(({ stage }) => stage !== 'ended' && stage !== 'on_hold');

const ENDED: readonly PaymentState[] = [
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
  'unknown',
  'held',
  'duplicate_suspect',
];

interface Left {
  rows: { id: string; state: PaymentState }[];
  orders: string[];
  requests: string[];
  committed: unknown[];
  chains: { currency: string; amount: number }[];
  /** The history was given up and begun again: what is missing in it was said. */
  isBegunAgain: boolean;
  /** What orders were to sell, with the fees. */
  sold: { id: string; attempt: number; currency: string; amount: number }[];
  /** Alarms that a debit was not found. */
  alarms: { currency: string; amount: number }[];
}

/** What is still open after it. */
export async function checkQuietEnd(world: World): Promise<Violation | null> {
  const { place, account, provider } = world;
  const { rows } = await place.database.query<Left>(
    `select (select coalesce(json_agg(json_build_object('id', payment_id, 'state', payments.state)), '[]') from payments join runs using (run_id)
        where payments.account = $1 and payments.state <> all($2) and runs.state <> 'in_approval') as rows,
      (select coalesce(json_agg(order_id || ' ' || state), '[]') from conversion_orders where account = $1 and state = any($3)) as orders,
      (select coalesce(json_agg(payment_id || ' ' || operation), '[]') from provider_requests requests join payments using (payment_id)
        where requests.account = $1 and non_idempotent and outcome is null and state <> all($2)) as requests,
      (select coalesce(json_agg(balances), '[]') from (select ledger_account, currency, amount from ledger_balances
        where account = $1 and amount <> 0 and (kind in ('payment', 'run') or kind = 'conversion' and ledger_account not in (
          select 'conversion/' || order_id from conversion_orders where account = $1 and conversion_is_on_hold(state)))) as balances) as committed,
      (select coalesce(json_agg(json_build_object('currency', currency, 'amount', round(100 * last_amount))), '[]')
        from balance_chains where account = $1 and gap_since is null) as chains,
      (select coalesce(json_agg(json_build_object('currency', currency, 'amount', round(100 * amount))), '[]')
        from money_alarms where account = $1 and kind = 'debit_not_found' and ended_at is null) as alarms,
      (select coalesce(json_agg(json_build_object('id', order_id, 'attempt', attempt, 'currency', sell_currency, 'amount', round(100 * total_amount))), '[]')
        from conversion_orders where account = $1 and total_amount is not null) as sold,
      exists (select from ledger_transfers where account = $1 and reason = 'missing_entries') as "isBegunAgain"`,
    [account, ENDED, WAITING_ORDERS],
  );
  const [left] = rows;
  if (left === undefined) throw new Error('what is left gave no row');
  for (const what of ['rows', 'orders', 'requests', 'committed'] as const) {
    if (left[what].length > 0) return { rule: 'waits_for_ever', detail: `${what}: ${JSON.stringify(left[what])}` };
  }
  const wrong = left.chains.find(({ currency, amount }) => provider.balanceOf(currency) !== amount);
  if (wrong !== undefined) {
    const detail = `${wrong.currency}: ${wrong.amount} instead of ${provider.balanceOf(wrong.currency)}`;
    return { rule: 'ledger_is_history', detail };
  }
  return left.isBegunAgain ? null : falseAlarms(world, left);
}

/** No more money is said to be not found than the provider has not taken. */
function falseAlarms(world: World, { alarms, sold }: Left): Violation | null {
  for (const { currency } of alarms) {
    const sum = alarms.reduce((all, alarm) => all + (alarm.currency === currency ? alarm.amount : 0), 0);
    const notConverted = sold
      .filter(
        (order) =>
          order.currency === currency && conversionsOf(world, order).every(({ lineIds }) => lineIds.length === 0),
      )
      .reduce((all, { amount }) => all + amount, 0);
    const notPaid = world.rows
      .filter(({ need }) => need.currency === currency)
      .flatMap(({ paymentId }) => paymentsOf(world, { id: paymentId, attempt: 1 }))
      .reduce((all, payment) => all + (payment.isDebited ? 0 : payment.sell + payment.fee), 0);
    const notTaken = notPaid + notConverted;
    if (sum > notTaken) {
      return { rule: 'ledger_is_history', detail: `${sum} ${currency} not found, of ${notTaken} that was not taken` };
    }
  }
  return null;
}
