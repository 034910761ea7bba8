import type { Finding } from '../outcome.ts';
import { SWEEP_FLOOR } from './treasury-account.ts';
import type { RecordedOrder, TreasuryViews } from './treasury-views.ts';

type Say = (kind: Finding['kind'], what: string) => void;

/** Every contradiction between the views; empty when they agree. */
export function compareTreasury(views: TreasuryViews, limitPerSecond: number): Finding[] {
  const findings: Finding[] = [];
  const say: Say = (kind, what) => findings.push({ kind, what });
  for (const order of views.orders) if (!isForPeople(views, order)) compareOrder(views, order, say);
  for (const { id, referenceId, status } of views.conversions) {
    if (!views.knownOrders.has(orderOf(referenceId))) say('lost', `the conversion ${id} (${status}) has no order`);
  }
  compareOccurrences(views, say);
  comparePayments(views, say);
  compareMoney(views, say);
  compareProvider(views, limitPerSecond, say);
  return findings;
}

/** A reference is the id of the order and its attempt. */
const orderOf = (referenceId: string | null): string => (referenceId ?? '').replace(/-\d+$/, '');

/**
 * A request to fund that was not seen, beside a payment of exactly the same total whose debit may be that of the order: payrun does not
 * fund it again, and after a day two people say what became of it. Nothing of it was funded, and it was asked once.
 */
function isForPeople({ conversions, payments }: TreasuryViews, order: RecordedOrder): boolean {
  const theirs = conversions.filter(({ referenceId }) => orderOf(referenceId) === order.orderId);
  return (
    order.state === 'unknown' &&
    order.reason === 'funding_uncertain' &&
    order.funds === 1 &&
    theirs.length === 1 &&
    theirs.every(({ timesFunded }) => timesFunded === 0) &&
    payments.some(({ totalAmount }) => Number(totalAmount) === Number(order.total))
  );
}

function compareOrder({ conversions }: TreasuryViews, order: RecordedOrder, say: Say): void {
  const theirs = conversions.filter(({ referenceId }) => orderOf(referenceId) === order.orderId);
  const [conversion] = theirs;
  const is = `order ${order.orderId} (${order.state} ${String(order.reason)})`;
  if (theirs.length > 1) say('paidTwice', `${is}: the provider has ${theirs.length} conversions`);
  if (theirs.some(({ timesFunded }) => timesFunded > 1)) say('paidTwice', `${is} was funded more than once`);
  if (order.funds > 2) say('paidTwice', `${is}: ${order.funds} requests to fund it`);
  if (order.creates > 1) say('paidTwice', `${is}: ${order.creates} requests that may have created it`);
  if (!order.hasEnded)
    say(order.state === 'unknown' || order.state === 'held' ? 'unknown' : 'lost', `${is} has not ended`);
  const isFunded = (conversion?.timesFunded ?? 0) > 0;
  if (order.hasEnded && isFunded !== (order.state === 'settled')) {
    say(
      'lost',
      `${is}: the provider has ${conversion?.status ?? 'nothing'}, funded ${conversion?.timesFunded ?? 0} times`,
    );
  }
  if (order.state !== 'settled' || conversion === undefined) return;
  if (conversion.id !== order.conversionId) say('disagreement', `${is} has another conversion than the provider`);
  if (conversion.status !== 'completed') say('disagreement', `${is}: the conversion is ${conversion.status}`);
  if (Number(conversion.totalAmount) !== Number(order.total))
    say('disagreement', `${is}: a total of ${String(order.total)}, the provider's is ${conversion.totalAmount}`);
}

/** Each is started twice, and is one occurrence with one order at most. */
function compareOccurrences({ occurrences }: TreasuryViews, say: Say): void {
  for (const { scheduleId, occurrenceId, ended, reason, orders } of occurrences) {
    const siblings = occurrences.filter((other) => other.scheduleId === scheduleId).length;
    if (siblings > 1) say('paidTwice', `the schedule ${scheduleId} has ${siblings} occurrences`);
    const is = `the occurrence ${occurrenceId} (${String(ended)} ${String(reason)})`;
    if (orders > 1) say('paidTwice', `${is} has ${orders} orders`);
    if (ended === null) say('lost', `${is} has not ended`);
    else if (ended === 'unknown' || ended === 'defect') say('unknown', is);
  }
}

function comparePayments({ rows, payments }: TreasuryViews, say: Say): void {
  for (const { rowRef, state, referenceId } of rows) {
    const theirs = payments.filter((payment) => payment.referenceId === referenceId);
    const funded = theirs.reduce((sum, { timesFunded }) => sum + timesFunded, 0);
    if (theirs.length > 1 || funded > 1) {
      say('paidTwice', `row ${rowRef}: ${theirs.length} payments, funded ${funded} times`);
    }
    if (state !== 'paid' && state !== 'returned') say('lost', `row ${rowRef} is ${state}`);
    if (funded !== 1) say('lost', `row ${rowRef} is ${state}, and was funded ${funded} times`);
  }
}

function compareMoney({ ledger, money, wrongBalances, receipts, orders, occurrences }: TreasuryViews, say: Say): void {
  for (const what of wrongBalances) say('disagreement', `the ledger account ${what}`);
  for (const what of receipts) say('disagreement', `the receipt ${what}`);
  const isOver = orders.every(({ hasEnded }) => hasEnded) && occurrences.every(({ ended }) => ended !== null);
  for (const { currency, free, committed } of money) {
    if (isOver && Number(committed) !== 0) say('disagreement', `${committed} ${currency} are still committed`);
    const theirs = ledger.balances[currency];
    if (Math.round(100 * (Number(free) + Number(committed))) !== Math.round(100 * Number(theirs)))
      say('disagreement', `${free} ${currency} and ${committed} committed, the provider has ${String(theirs)}`);
  }
  for (const [currency, amount] of Object.entries(ledger.balances))
    if (Number(amount) < 0) say('disagreement', `${currency} is overspent: ${amount}`);
  if (Number(ledger.balances['NZD']) < Number(SWEEP_FLOOR)) say('disagreement', 'a sweep went below its floor');
}

function compareProvider({ ledger, priorities }: TreasuryViews, limitPerSecond: number, say: Say): void {
  if (ledger.createdMoreThanOnce.length > 0)
    say('paidTwice', `created twice: ${ledger.createdMoreThanOnce.join(', ')}`);
  if (ledger.fundedMoreThanOnce.length > 0) say('paidTwice', `funded twice: ${ledger.fundedMoreThanOnce.join(', ')}`);
  if (!ledger.invariantHolds) say('disagreement', "the provider's ledger does not add up");
  if (ledger.rejectedByLimit > 0) say('disagreement', `${ledger.rejectedByLimit} requests were over the limit`);
  if (ledger.mostInAnySecond > limitPerSecond) say('disagreement', `${ledger.mostInAnySecond} requests in a second`);
  const { paymentFunding, conversions } = priorities;
  const isKept = paymentFunding.length > 0 && Math.max(...paymentFunding) < Math.min(...conversions);
  if (!isKept)
    say(
      'disagreement',
      `payments are funded with priority ${paymentFunding.join()}, conversions ${conversions.join()}`,
    );
}
