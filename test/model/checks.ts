import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { type PaymentState, paymentStatesWhere } from '../../domain/payments/payment-state.ts';
import { checkConversions, ORDERS, type RecordedOrder } from './conversion-checks.ts';
import { type Reserve, RESERVES, shortBesideReserves } from './reserve-checks.ts';
import type { ProviderPayment } from './simulated-provider.ts';
import type { Need, Row, World } from './world.ts';

/** What must hold after every event. */

export interface Violation {
  rule:
    | 'funded_twice'
    | 'bought_twice'
    | 'ended_while_payable'
    | 'paid_is_paid'
    | 'paid_on_its_day'
    | 'funded_as_quoted'
    | 'ledger_is_history'
    | 'counted_twice'
    | 'counted_as_free'
    | 'short_beside_reserves'
    | 'waits_for_ever'
    | 'unexpected_error';
  detail: string;
}

interface Recorded {
  id: string;
  state: PaymentState;
  attempt: number;
  committed: number;
  /** What could not be committed, as the history was not read for long. */
  uncovered: number;
}

interface Facts {
  orders: RecordedOrder[];
  reserves: Reserve[];
  rows: Recorded[];
  /** Ledger accounts that are not the sum of their transfers, and currencies whose accounts are not the last amount. */
  wrong: unknown[];
  seenLines: string[];
  /** The history was given up and begun again: lines before that have no place, as the ledger says. */
  isBegunAgain: boolean;
}

const ENDED_UNPAID = new Set<PaymentState>(
  paymentStatesWhere(({ counts, stage, row }) => counts.asUnpaid && stage === 'ended' && row.isUsed),
);

const FACTS = `select
  (select coalesce(json_agg(json_build_object('id', payment_id, 'state', state, 'attempt', attempt,
      'committed', round(100 * ledger_amount(account, sell_currency, ledger_account_of(payment_id, attempt))),
      'uncovered', (select coalesce(round(100 * uncovered), 0) from ledger_balances held where held.account = payments.account
        and held.currency = sell_currency and ledger_account = ledger_account_of(payment_id, attempt)))), '[]')
    from payments where account = $1) as rows,
  ${ORDERS} as orders,
  ${RESERVES} as reserves,
  (select coalesce(json_agg(wrong), '[]') from (
    select ledger_account, amount, moved from (
      select currency, ledger_account, amount, coalesce((select sum(case when credit = ledger_account then transfers.amount else -transfers.amount end)
        from ledger_transfers transfers where transfers.account = $1 and transfers.currency = balances.currency
          and ledger_account in (debit, credit)), 0) as moved
      from ledger_balances balances where account = $1) as sums
    where amount <> moved or (amount < 0 and ledger_account not in ('outside', 'free'))
    union all
    select 'all of ' || currency, last_amount, (select sum(amount) from ledger_balances balances
        where balances.account = $1 and balances.currency = chains.currency and ledger_account <> 'outside')
      from balance_chains chains where account = $1 and unfollowed_since is null and last_amount <> (
        select coalesce(sum(amount), 0) from ledger_balances balances
        where balances.account = $1 and balances.currency = chains.currency and ledger_account <> 'outside')) as wrong) as wrong,
  (select coalesce(json_agg(entry_id), '[]') from balance_entries where account = $1 and position is not null) as "seenLines",
  exists (select from ledger_transfers where account = $1 and reason = 'missing_entries') as "isBegunAgain"`;

/** The first rule that does not hold, or null. */
export async function check(world: World): Promise<Violation | null> {
  const facts = await readFacts(world);
  return (
    fundedTwice(world) ??
    endedWhilePayable(world, facts) ??
    paidIsPaid(world, facts) ??
    paidOnItsDay(world) ??
    fundedAsQuoted(world) ??
    ledgerIsHistory(facts) ??
    countedTwice(world, facts) ??
    countedAsFree(world, facts) ??
    shortBesideReserves(world, facts.reserves) ??
    checkConversions(world, facts)
  );
}

const KNOWN = new WeakMap<World, { facts: Facts; statements: number }>();

/** Read once, as long as nothing happens in the database: much happens at the provider alone. */
async function readFacts(world: World): Promise<Facts> {
  const { time, database } = world.place;
  const known = KNOWN.get(world);
  if (known?.statements === time.statements) return known.facts;
  const { rows } = await database.query<Facts>(FACTS, [world.account]);
  const [facts] = rows;
  if (facts === undefined) throw new Error('the facts gave no row');
  KNOWN.set(world, { facts, statements: time.statements });
  return facts;
}

/** The provider's payments for a row. */
export function paymentsOf({ provider }: World, { id, attempt }: Pick<Recorded, 'id' | 'attempt'>): ProviderPayment[] {
  const references = new Set(Array.from({ length: attempt }, (_, n) => referenceIdOf(id, n + 1)));
  return provider.payments.filter(({ referenceId }) => references.has(referenceId));
}

function fundedTwice(world: World): Violation | null {
  const needs = new Map<string, { need: Need; rows: Row[] }>();
  for (const row of world.rows) {
    const known = needs.get(row.need.rowRef);
    if (known === undefined) needs.set(row.need.rowRef, { need: row.need, rows: [row] });
    else known.rows.push(row);
  }
  for (const { need, rows } of needs.values()) {
    const paid = rows
      .flatMap(({ paymentId }) => paymentsOf(world, { id: paymentId, attempt: 3 }))
      .filter(({ isDebited, isReversed }) => isDebited && !isReversed);
    if (paid.length > 1) {
      return {
        rule: 'funded_twice',
        detail: `${need.rowRef}: ${paid.map(({ id, status }) => `${id} ${status}`).join(', ')}`,
      };
    }
  }
  return null;
}

function endedWhilePayable(world: World, { rows }: Facts): Violation | null {
  for (const row of rows) {
    if (!ENDED_UNPAID.has(row.state)) continue;
    const payable = paymentsOf(world, row).find((payment) => isPayable(payment));
    const pending = world.provider.pending.find(
      ({ kind, referenceId }) => kind === 'create' && referenceId === referenceIdOf(row.id, row.attempt),
    );
    const why = payable === undefined ? pending && 'is being created' : `${payable.id} is ${payable.status}`;
    if (why !== undefined) return { rule: 'ended_while_payable', detail: `${row.id} is ${row.state}, and ${why}` };
  }
  return null;
}

function isPayable({ status, isReversed }: ProviderPayment): boolean {
  return status === 'awaiting_funds' || status === 'processing' || (status === 'completed' && !isReversed);
}

function paidIsPaid(world: World, { rows }: Facts): Violation | null {
  for (const row of rows) {
    if (row.state !== 'paid' || world.rows.find(({ paymentId }) => paymentId === row.id)?.isResolved === true) continue;
    const isPaid = paymentsOf(world, row).some(({ status }) => status === 'completed');
    if (!isPaid) return { rule: 'paid_is_paid', detail: `${row.id} is paid, and the provider has not completed it` };
  }
  return null;
}

function paidOnItsDay(world: World): Violation | null {
  const lines = new Map(world.provider.history.map((line) => [line.id, line.dateMs]));
  for (const { paymentId, need } of world.rows) {
    if (need.payOn === null) continue;
    const dayMs = Date.parse(need.payOn);
    const early = paymentsOf(world, { id: paymentId, attempt: 3 }).find(({ lineIds }) =>
      lineIds.some((id) => (lines.get(id) ?? dayMs) < dayMs),
    );
    if (early !== undefined) return { rule: 'paid_on_its_day', detail: `${early.id} was funded before ${need.payOn}` };
  }
  return null;
}

/** Nothing is funded for more than the approved amount and the quoted fee. */
function fundedAsQuoted({ provider }: World): Violation | null {
  const dearer = provider.payments.find(({ isDebited, fee, quotedFee }) => isDebited && fee > quotedFee);
  if (dearer === undefined) return null;
  return {
    rule: 'funded_as_quoted',
    detail: `${dearer.id} was funded with a fee of ${dearer.fee} instead of ${dearer.quotedFee}`,
  };
}

function ledgerIsHistory({ wrong }: Facts): Violation | null {
  return wrong.length === 0 ? null : { rule: 'ledger_is_history', detail: JSON.stringify(wrong) };
}

/** What is committed to payments is at most what the provider may still take for them. */
function countedTwice(world: World, { rows, seenLines }: Facts): Violation | null {
  const seen = new Set(seenLines);
  const committed = new Map<string, number>();
  const mayBeTaken = new Map<string, number>();
  for (const row of rows) {
    const currency = world.rows.find(({ paymentId }) => paymentId === row.id)?.need.currency ?? '';
    committed.set(currency, (committed.get(currency) ?? 0) + row.committed);
    const isSeen = paymentsOf(world, row).some(
      ({ isDebited, lineIds }) => isDebited && lineIds.every((id) => seen.has(id)),
    );
    if (!isSeen) mayBeTaken.set(currency, (mayBeTaken.get(currency) ?? 0) + row.committed + mostOf(world, row));
  }
  for (const [currency, amount] of committed) {
    const most = mayBeTaken.get(currency) ?? 0;
    if (amount > most)
      return { rule: 'counted_twice', detail: `${amount} ${currency} is committed, and ${most} may be taken` };
  }
  return null;
}

/** What was taken and is not in the history yet is committed: nobody else may spend it. */
function countedAsFree(world: World, { rows, seenLines, isBegunAgain }: Facts): Violation | null {
  if (isBegunAgain) return null;
  const seen = new Set(seenLines);
  const kept = new Map<string, number>();
  const taken = new Map<string, number>();
  const add = (sums: Map<string, number>, currency: string, amount: number): unknown =>
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  const lines = new Map(world.provider.history.map((line) => [line.id, line]));
  for (const row of rows) {
    const currency = world.rows.find(({ paymentId }) => paymentId === row.id)?.need.currency ?? '';
    add(kept, currency, row.committed + row.uncovered);
    for (const id of paymentsOf(world, row).flatMap(({ lineIds }) => lineIds)) {
      const line = lines.get(id);
      if (line !== undefined && !seen.has(id)) add(taken, currency, line.before - line.after);
    }
  }
  for (const [currency, amount] of taken) {
    const most = kept.get(currency) ?? 0;
    if (amount > most)
      return { rule: 'counted_as_free', detail: `${amount} ${currency} was taken, and ${most} is committed` };
  }
  return null;
}

/** A debit of a payment of this amount may have been counted as that of an equal one. */
function mostOf(world: World, row: Recorded): number {
  const [payment] = paymentsOf(world, row);
  return payment === undefined || row.committed > 0 ? 0 : payment.sell + payment.fee;
}
