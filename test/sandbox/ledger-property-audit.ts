import Big from 'big.js';
import { expect } from 'vitest';
import { asText } from './a-sandbox.ts';
import { type Book, decimalsOf } from './ledger-property-book.ts';
import type { Told } from './ledger-property-caller.ts';

/** Everything the API shows of one key's money, oldest first. */
interface Shown {
  readonly history: readonly Told[];
  readonly balances: readonly Told[];
  readonly payments: readonly Told[];
  readonly conversions: readonly Told[];
  readonly refunds: readonly Told[];
  readonly fundings: readonly Told[];
}

const text = (told: Told, name: string): string => asText(told[name]);

/** Audits one key from public answers and from what was told, once nothing is on its way any more. */
export async function audit(book: Book): Promise<void> {
  const shown = await readAll(book);
  everyChangeFollowsTheOneBefore(book, shown);
  everythingCreatedIsFound(book, shown);
  const owedTwice = paymentsTookAndGaveBack(book, shown);
  conversionsMoved(book, shown);
  incomingMoneyCountedOnce(book, shown);
  const { sandbox, apiKey } = book.caller;
  const report = sandbox.ledger(apiKey);
  expect(report.invariantHolds, "the sandbox's own invariant").toBe(!owedTwice);
  expect(owedTwice && !book.putBack, 'only an operator can have a payment debited twice').toBe(false);
  const debitedAgain = [...book.payments.values()].filter(({ debits }) => debits > 1).map(({ id }) => id);
  expect([...report.fundedMoreThanOnce].sort()).toEqual(debitedAgain.sort());
  const references = shown.payments.map((payment) => text(payment, 'referenceId'));
  const repeated = new Set(references.filter((reference, place) => references.indexOf(reference) !== place));
  expect([...report.createdMoreThanOnce].sort()).toEqual([...repeated].sort());
}

async function readAll({ caller }: Book): Promise<Shown> {
  const list = async (path: string, key: string, body?: object): Promise<Told[]> =>
    ((await caller.read(path, body))[key] as unknown as Told[]).toReversed();
  const fundings: Told[] = [];
  for (let page = 1, more = true; more; page++) {
    const shown = await list(`/v2/fundings?pagination%5Bpage%5D=${page}`, 'value');
    fundings.unshift(...shown);
    more = shown.length > 0;
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

/** Initial + credits − debits = balance in every currency, step by step, never below zero, at its decimals. */
function everyChangeFollowsTheOneBefore({ initial }: Book, { history, balances }: Shown): void {
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

/** What was answered, and of what was not answered what the look-ups showed: nothing less, and nothing more. */
function everythingCreatedIsFound(book: Book, { payments, conversions, fundings }: Shown): void {
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

/** The history's entries of two types by transaction number, which rises in the order of creation. */
function byTransaction({ history }: Shown, ...types: string[]): Told[][] {
  const groups = new Map<number, Told[]>();
  for (const entry of history) {
    if (!types.includes(text(entry, 'transactionType'))) continue;
    const number = Number(text(entry, 'transactionId'));
    groups.set(number, [...(groups.get(number) ?? []), entry]);
  }
  return [...groups].sort(([one], [other]) => one - other).map(([, entries]) => entries);
}

/** Each payment took exactly its total as often as its fundings took effect, and gave it back as it was refunded. */
function paymentsTookAndGaveBack(book: Book, shown: Shown): boolean {
  const groups = byTransaction(shown, 'payment', 'refund');
  let owedTwice = false;
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
    const { least, most } = creditsOf(book, refunds);
    expect(givenBack).toBeGreaterThanOrEqual(least);
    expect(givenBack).toBeLessThanOrEqual(most);
    expect(refunds.length).toBeLessThanOrEqual(debits);
    const endedBadly = ['rejected', 'failed'].includes(text(payment, 'status'));
    if (endedBadly) expect(refunds.length, 'refunds of a payment that ended badly').toBe(debits);
    owedTwice ||= debits - givenBack > 1;
  }
  expect(groups, 'movements that belong to no payment').toEqual([]);
  return owedTwice;
}

/** How many of a payment's refunds were credited: all that nobody moved by hand, and those that ever completed. */
function creditsOf({ refundsByHand, options }: Book, refunds: readonly Told[]): { least: number; most: number } {
  let [least, most] = [0, 0];
  for (const refund of refunds) {
    const note = refundsByHand.get(text(refund, 'id'));
    const surely = note === undefined || note.wasCompleted || (note.byItself && options.refundMs === 0);
    least += surely ? 1 : 0;
    most += surely || note.byItself ? 1 : 0;
  }
  return { least, most };
}

/** A conversion takes its total once when it was funded, and brings what it buys once when it was completed. */
function conversionsMoved(book: Book, shown: Shown): void {
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

/** Fundings that ever completed, deposits and credits: each is in the history once, and no report of one is. */
function incomingMoneyCountedOnce(book: Book, { history, fundings }: Shown): void {
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
