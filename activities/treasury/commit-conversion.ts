import { type GuardReport, conversionGuards } from '../../domain/treasury/conversion-guards.ts';
import { type ReferencePrice, referencePrice } from '../../domain/treasury/conversion-price.ts';
import { isQuoteFresh } from '../../domain/treasury/conversion-quote.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { buysMoreThanNeeded } from '../../domain/treasury/planned-conversions.ts';
import { ratioOf } from '../../domain/rates/ratio.ts';
import { type Database, inTransaction, type Queryable } from '../../store/database/database.ts';
import {
  type ConversionLimits,
  lockBoughtMoney,
  lockCommittedToday,
  readConversionLimits,
  readGuardFacts,
  recordFindings,
} from '../../store/treasury/order-guards.ts';
import { beginCreation, type NotBegun } from '../../store/treasury/order-requests.ts';
import { readScheduleOfOrder } from '../../store/treasury/occurrences.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { lockOrder, type OrderRecord, type StoredQuote, type StoredReference } from '../../store/treasury/orders.ts';
import { scheduleIn } from './begin-occurrence.ts';
import { readOccurrenceCash } from './plan-occurrence.ts';

export type CommitResult =
  /** The money is committed and the intent in the database: create with this quote. */
  | { kind: 'committed'; requestId: string; quoteId: string; record: OrderRecord }
  /** A stop is in force: nothing has changed. */
  | { kind: 'stopped' }
  /** The order has another state. */
  | { kind: 'moved' };

/**
 * Runs the guards and commits the money in one transaction, in which the order and what counts against the daily cap are
 * locked: of two orders at the same moment, the second one sees the first.
 */
export function commitConversion(
  database: Database,
  orderId: string,
  hasValidMac: (record: OrderRecord) => boolean,
): Promise<CommitResult> {
  return inTransaction(database, async (transaction) => {
    const record = await lockOrder(transaction, orderId);
    const { terms, quote, quoteId, state, quotedAtMs } = record;
    if (state !== 'quoted' || quote === null || quoteId === null || quotedAtMs === null) return { kind: 'moved' };
    const limits = await readConversionLimits(transaction, terms);
    const committedToday = await lockCommittedToday(transaction, terms, limits);
    const facts = await readGuardFacts(transaction, terms);
    if (!isQuoteFresh(quotedAtMs, facts.nowMs) || !hasValidMac(record)) {
      await moveOrder(transaction, orderId, 'approved', { from: ['quoted'] });
      return { kind: 'moved' };
    }
    const report = guardReport({ record, quote, limits, committedToday, facts });
    await recordFindings(transaction, orderId, report.findings);
    if (report.decision !== 'commit') return refuse(transaction, orderId, report);
    // guard: run-need-at-commitment
    if (await buysWhatNoRunNeeds(transaction, terms, facts.nowMs)) return skip(transaction, orderId, 'need_covered');
    const begun = await beginCreation(transaction, orderId);
    if ('requestId' in begun) return { kind: 'committed', requestId: begun.requestId, quoteId, record };
    return notBegun(transaction, orderId, begun.refused);
  });
}

/** What an order was placed for may have come, or been bought, since: it counts as it does when orders are planned, this one among them. */
async function buysWhatNoRunNeeds(transaction: Queryable, order: ConversionOrder, nowMs: number): Promise<boolean> {
  const definition = await readScheduleOfOrder(transaction, order.orderId);
  const schedule = definition === null ? null : scheduleIn(definition);
  if (schedule?.kind !== 'fund_run') return false;
  // guard: run-need-locked
  await lockBoughtMoney(transaction, order);
  const { account, buyCurrency } = order;
  const { situation } = await readOccurrenceCash(transaction, { account, nowMs });
  return buysMoreThanNeeded(schedule, situation, buyCurrency);
}

type Facts = Awaited<ReturnType<typeof readGuardFacts>>;

export function guardReport(of: {
  record: Pick<OrderRecord, 'terms' | 'approvedUpTo' | 'reference'>;
  quote: StoredQuote;
  limits: ConversionLimits;
  committedToday: string;
  facts: Facts;
}): GuardReport {
  const { record, quote, limits, committedToday, facts } = of;
  const { terms, approvedUpTo, reference } = record;
  const { sellCurrency, buyCurrency, fixedSide, amount } = terms;
  return conversionGuards({
    order: terms,
    request: { sellCurrency, buyCurrency, fixedSide, amount },
    quote,
    reference: referenceOf(quote, reference, limits, facts.nowMs),
    maxOrder: limits.maxOrder,
    dailyCap: limits.dailyCap,
    approvalThreshold: limits.approvalAbove,
    approvedUpTo: facts.isApproved ? approvedUpTo : null,
    committedToday,
    free: facts.free,
    openOrders: facts.openOrders,
    nowMs: facts.nowMs,
  });
}

/** It is read just before the quote; one from before an earlier quote says nothing about the market of now. */
const MAX_REFERENCE_AGE_MS = 10 * 60_000;

function referenceOf(
  quote: StoredQuote,
  reference: StoredReference | null,
  { direction }: ConversionLimits,
  nowMs: number,
): ReferencePrice {
  if (reference === null || reference.middle === null) {
    return { price: null, code: 'reference_unclear', says: 'no rate of the pair could be read' };
  }
  if (nowMs - reference.readAtMs > MAX_REFERENCE_AGE_MS) {
    return {
      price: null,
      code: 'reference_unclear',
      says: 'the rate of the pair could not be read since an earlier quote',
    };
  }
  const middle = ratioOf(reference.middle.numerator, reference.middle.denominator);
  return referencePrice(quote, middle, reference.isPrice ? 'direct' : direction);
}

const STATE_OF: Readonly<Record<Exclude<GuardReport['decision'], 'commit'>, ConversionState>> = {
  ask_for_approval: 'in_approval',
  skip: 'skipped',
  hold: 'held',
  expire: 'expired',
};

async function refuse(transaction: Queryable, orderId: string, { decision, code }: GuardReport): Promise<CommitResult> {
  if (decision === 'commit') throw new Error('a passed order is not refused');
  await moveOrder(transaction, orderId, STATE_OF[decision], { from: ['quoted'], reason: code });
  return { kind: 'moved' };
}

async function skip(transaction: Queryable, orderId: string, reason: ConversionReason): Promise<CommitResult> {
  await moveOrder(transaction, orderId, 'skipped', { from: ['quoted'], reason });
  return { kind: 'moved' };
}

/** What the database refuses: it decides by itself on authority, limits and money. */
async function notBegun(transaction: Queryable, orderId: string, why: NotBegun): Promise<CommitResult> {
  if (why === 'stopped') return { kind: 'stopped' };
  if (isOfFunding(why)) return { kind: 'moved' };
  await moveOrder(transaction, orderId, REFUSED_STATE[why], { from: ['quoted'], reason: why });
  return { kind: 'moved' };
}

const OF_FUNDING = ['state', 'asked_twice', 'cutoff_passed', 'evidence_old', 'funding_uncertain'] as const;
type OfFunding = (typeof OF_FUNDING)[number];

function isOfFunding(why: NotBegun): why is OfFunding {
  return (OF_FUNDING as readonly string[]).includes(why);
}

const REFUSED_STATE: Readonly<Record<Exclude<NotBegun, 'stopped' | OfFunding>, ConversionState>> = {
  approval_needed: 'in_approval',
  order_expired: 'expired',
  order_too_large: 'skipped',
  daily_cap_reached: 'skipped',
  not_enough_money: 'skipped',
  floor_reached: 'skipped',
  level_reached: 'skipped',
} satisfies Partial<Record<ConversionReason, ConversionState>>;
