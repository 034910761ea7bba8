import Big from 'big.js';
import { expect } from 'vitest';
import { asText } from './a-sandbox.ts';
import { type Book, decimalsOf } from './ledger-property-book.ts';
import type { Json } from './ledger-property-caller.ts';

/** Everything that the API shows of one key's money, oldest first. */
interface AccountView {
  readonly history: readonly Json[];
  readonly balances: readonly Json[];
  readonly payments: readonly Json[];
  readonly conversions: readonly Json[];
  readonly refunds: readonly Json[];
  readonly fundings: readonly Json[];
}

const text = (resource: Json, name: string): string => asText(resource[name]);

/** Audits one key from public answers and the recorded ones, after all pending events have run. */
export async function audit(book: Book): Promise<void> {
  const shown = await readAll(book);
  checkBalanceHistory(book, shown);
  checkCreatedResources(book, shown);
  const hasOpenDoubleDebit = checkPayments(book, shown);
  checkConversions(book, shown);
  checkIncomingMoney(book, shown);
  const { sandbox, apiKey } = book.caller;
  const report = sandbox.ledger(apiKey);
  expect(report.invariantHolds, "the sandbox's own invariant").toBe(!hasOpenDoubleDebit);
  expect(hasOpenDoubleDebit && !book.wasForcedBack, 'only an operator can have a payment debited twice').toBe(false);
  const debitedAgain = [...book.payments.values()].filter(({ debits }) => debits > 1).map(({ id }) => id);
  expect([...report.fundedMoreThanOnce].sort()).toEqual(debitedAgain.sort());
  const references = shown.payments.map((payment) => text(payment, 'referenceId'));
  const repeated = new Set(references.filter((reference, place) => references.indexOf(reference) !== place));
  expect([...report.createdMoreThanOnce].sort()).toEqual([...repeated].sort());
}

async function readAll({ caller }: Book): Promise<AccountView> {
  const list = async (path: string, key: string, body?: object): Promise<Json[]> =>
    ((await caller.read(path, body))[key] as unknown as Json[]).toReversed();
  const fundings: Json[] = [];
  for (let page = 1, more = true; more; page++) {
    const listed = await list(`/v2/fundings?pagination%5Bpage%5D=${page}`, 'value');
    fundings.unshift(...listed);
    more = listed.length > 0;
  }
  return {
    history: await list('/balances/v1/history', 'data', {}),
    balances: await list('/balances/v1/find', 'data'),
    payments: await list('/simple-payments/v1/find', 'data', {}),
    conversions: await list('/conversions/v1/find', 'data', {}),
    refunds: await list('/v2/refunds', 'value'),
    fundings,
  };
}

/** In every currency initial + credits − debits = balance, after every entry, never below zero, with its decimals. */
function checkBalanceHistory({ initial }: Book, { history, balances }: AccountView): void {
  const reached = new Map(Object.entries(initial).map(([currency, amount]) => [currency, new Big(amount)]));
  for (const entry of history) {
    const currency = text(entry, 'currency');
    const [before, after] = [text(entry, 'amountBefore'), text(entry, 'amountAfter')];
    expect(new Big(before).eq(reached.get(currency) ?? 0), `${currency} goes on from where it was`).toBe(true);
    expect(new Big(after).gte(0), `${currency} is never below zero`).toBe(true);
    const change = new Big(after).minus(before);
    expect(change.abs().eq(text(entry, 'totalAmount')), `${currency} changes by what the entry says`).toBe(true);
    const type = text(entry, 'transactionType');
    if (type !== 'adjustment') expect(change.lte(0)).toBe(type === 'payment' || type === 'conversion' || change.eq(0));
    for (const amount of [before, after, text(entry, 'totalAmount')]) expectDecimals(amount, currency);
    reached.set(currency, new Big(after));
  }
  const held = Object.fromEntries(balances.map((each) => [text(each, 'currency'), text(each, 'amount')]));
  for (const [currency, amount] of Object.entries(held)) expectDecimals(amount, currency);
  const computed = [...reached].map(([currency, amount]) => [currency, amount.toFixed(decimalsOf[currency])]);
  expect(held, 'initial + credits − debits').toEqual(Object.fromEntries(computed));
}

const expectDecimals = (amount: string, currency: string): void =>
  expect(amount.split('.')[1]?.length ?? 0, `the decimals of ${amount} ${currency}`).toBe(decimalsOf[currency]);

/** The API shows exactly the resources that were answered, or found by lookups after a lost answer. */
function checkCreatedResources(book: Book, { payments, conversions, fundings }: AccountView): void {
  const { apiKey, sandbox } = book.caller;
  const kinds = [
    [payments.map((each) => text(each, 'simplePaymentId')), [...book.payments.keys()], book.openPayments],
    [conversions.map((each) => text(each, 'conversionId')), [...book.conversions.keys()], book.openConversions],
  ] as const;
  for (const [found, known, open] of kinds) {
    expect(new Set(found).size).toBe(found.length);
    expect(known.filter((id) => !found.includes(id))).toEqual([]);
    expect(found.length - known.length).toBeLessThanOrEqual(open);
  }
  const counted = Object.values(sandbox.ledger(apiKey).payments).reduce((sum, count) => sum + count, 0);
  expect(counted, 'payments that find shows').toBe(payments.length);
  const ids = fundings.map((each) => text(each, 'id'));
  expect(ids.sort()).toEqual([...book.fundings.keys(), ...book.reports.keys()].sort());
}

/** The history's entries of two types by transaction number, which increases in the order of creation. */
function byTransaction({ history }: AccountView, ...types: string[]): Json[][] {
  const groups = new Map<number, Json[]>();
  for (const entry of history) {
    if (!types.includes(text(entry, 'transactionType'))) continue;
    const number = Number(text(entry, 'transactionId'));
    groups.set(number, [...(groups.get(number) ?? []), entry]);
  }
  return [...groups].sort(([one], [other]) => one - other).map(([, entries]) => entries);
}

/** Each payment's total was debited once per effective funding, and credited once per completed refund. */
function checkPayments(book: Book, shown: AccountView): boolean {
  const groups = byTransaction(shown, 'payment', 'refund');
  let hasOpenDoubleDebit = false;
  for (const payment of shown.payments) {
    const id = text(payment, 'simplePaymentId');
    const debits = book.payments.get(id)?.debits ?? 0;
    const refunds = shown.refunds.filter((each) => text(each, 'resourceId') === id);
    if (debits === 0) {
      expect(refunds).toEqual([]);
      continue;
    }
    const entries = groups.shift() ?? [];
    for (const entry of entries) {
      expect([text(entry, 'currency'), text(entry, 'totalAmount')]).toEqual([
        text(payment, 'sellCurrency'),
        text(payment, 'totalAmount'),
      ]);
    }
    const types = entries.map((entry) => text(entry, 'transactionType'));
    const givenBack = types.filter((type) => type === 'refund').length;
    expect(types.length - givenBack, 'debits of a payment').toBe(debits);
    expect(types[0]).toBe('payment');
    const { min, max } = creditsOf(book, refunds);
    expect(givenBack).toBeGreaterThanOrEqual(min);
    expect(givenBack).toBeLessThanOrEqual(max);
    expect(refunds.length).toBeLessThanOrEqual(debits);
    const endedBadly = ['rejected', 'failed'].includes(text(payment, 'status'));
    if (endedBadly) expect(refunds.length, 'refunds of a payment that ended badly').toBe(debits);
    hasOpenDoubleDebit ||= debits - givenBack > 1;
  }
  expect(groups, 'movements that belong to no payment').toEqual([]);
  return hasOpenDoubleDebit;
}

/** The number of a payment's credited refunds: all automatic ones, and the manual ones that ever completed. */
function creditsOf({ refundsByHand, options }: Book, refunds: readonly Json[]): { min: number; max: number } {
  let [min, max] = [0, 0];
  for (const refund of refunds) {
    const note = refundsByHand.get(text(refund, 'id'));
    const surely = note === undefined || note.wasCompleted || (note.isAutomatic && options.refundMs === 0);
    min += surely ? 1 : 0;
    max += surely || note.isAutomatic ? 1 : 0;
  }
  return { min, max };
}

/** A conversion's total is debited once when it is funded, and its buy amount credited once when it completes. */
function checkConversions(book: Book, shown: AccountView): void {
  const expected = shown.conversions.flatMap((conversion) => {
    const note = book.conversions.get(text(conversion, 'conversionId'));
    if (!note) return [];
    const debit = ['conversion', note.sell, note.totalAmount];
    const credited = ['conversion_credit', note.buy, note.buyAmount];
    const isCredited = note.wasCompleted || note.debits > 0;
    const moves = [...(note.debits > 0 ? [debit] : []), ...(isCredited ? [credited] : [])];
    return moves.length === 0 ? [] : [moves.sort()];
  });
  const moved = byTransaction(shown, 'conversion', 'conversion_credit').map((entries) =>
    entries
      .map((entry) => [text(entry, 'transactionType'), text(entry, 'currency'), text(entry, 'totalAmount')])
      .sort(),
  );
  expect(moved, 'what conversions moved').toEqual(expected);
}

/** Completed fundings, deposits and credits are in the history once; fundings that report a deposit are not. */
function checkIncomingMoney(book: Book, { history, fundings }: AccountView): void {
  const came = [
    ['funding', [...book.fundings.values()].filter(({ wasCompleted }) => wasCompleted)],
    ['deposit', book.deposits],
  ] as const;
  for (const [type, notes] of came) {
    const entries = history.filter((entry) => text(entry, 'transactionType') === type);
    const written = entries.map((entry) => `${text(entry, 'totalAmount')} ${text(entry, 'currency')}`);
    expect(written.sort()).toEqual(notes.map(({ amount, currency }) => `${amount} ${currency}`).sort());
  }
  for (const funding of fundings) {
    const id = text(funding, 'id');
    const hasCome = book.reports.get(id) ?? book.fundings.get(id)?.wasCompleted;
    if (text(funding, 'status') === 'completed') expect(hasCome, 'the money of a completed funding came').toBe(true);
  }
}
