import { describe, expect, test } from 'vitest';
import { carryForward } from '../../domain/reconciliation/carry-forward.ts';
import { paymentFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact, FactKind } from '../../domain/accounts/money-fact.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import { reconcile } from '../../domain/reconciliation/reconcile.ts';
import type { Reconciliation, ReconciliationInput } from '../../domain/reconciliation/reconciliation.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON_MS = Date.UTC(2026, 2, 2, 12);

/** Entries a minute apart, from a balance of 1000. */
function entriesOf(changes: readonly (number | { change: number; transactionId: string })[]): Movement[] {
  let balance = 1000;
  return changes.map((one, index) => {
    const { change, transactionId } = typeof one === 'number' ? { change: one, transactionId: null } : one;
    const amountBefore = String(balance);
    balance += change;
    const date = NOON_MS + index * 60_000;
    return {
      ...{ entryId: `e${index}`, date, currency: 'USD', amountBefore },
      amountAfter: String(balance),
      type: '',
      transactionId,
    };
  });
}

function aFact(factId: string, kind: FactKind, amount: string, more: Partial<Fact> & { fees?: string[] } = {}): Fact {
  const { fees = [], ...fields } = more;
  const leg = { currency: 'USD', amount, fees, fromMs: NOON_MS - HOUR_MS, untilMs: NOON_MS + HOUR_MS };
  return {
    factId,
    kind,
    certainty: 'expected',
    providerId: `p-${factId}`,
    paymentId: 'payment',
    legs: [leg],
    ...fields,
  };
}

function reconciled(movements: Movement[], facts: Fact[], more: Partial<ReconciliationInput> = {}): Reconciliation {
  const closing = movements.at(-1)?.amountAfter ?? '1000';
  const balances = { USD: { opening: '1000', closing } };
  return reconcile({ movements, facts, balances, asOfMs: NOON_MS + 3 * DAY_MS, ...more });
}

const found = ({ breaks }: Reconciliation): string[] =>
  breaks.map(({ type, factIds, entryIds }) => [type, ...factIds, ...entryIds].join(' '));

describe('a deposit and a funding of equal amounts', () => {
  const reported = [aFact('deposit', 'deposit', '50'), aFact('funding', 'funding', '50')];

  test('trap 39: are one receipt if one credit is in the history', () => {
    const result = reconciled(entriesOf([50]), reported);
    expect(found(result)).toEqual([]);
    expect(result.matched).toMatchObject([{ leg: { fact: { factId: 'deposit' } }, otherReportId: 'funding' }]);
  });

  test('are two if two credits are', () => {
    const result = reconciled(entriesOf([50, 50]), reported);
    expect(found(result)).toEqual([]);
    expect(result.matched.map(({ otherReportId }) => otherReportId)).toEqual([null, null]);
  });

  test('are one that is missing if none is', () => {
    expect(found(reconciled(entriesOf([]), reported))).toEqual(['missing_entry deposit']);
  });

  test('leave the credit of a refund of the same amount to it', () => {
    const result = reconciled(entriesOf([50, 50]), [...reported, aFact('refund', 'refund', '50')]);
    expect(found(result)).toEqual([]);
  });
});

describe('fees', () => {
  const paid = (count: number): Fact[] =>
    Array.from({ length: count }, (_, index) => aFact(`p${index}`, 'payment', String(-10 - index), { fees: ['1'] }));

  test('may be beside the amounts, in neighbours, if they usually are', () => {
    const result = reconciled(entriesOf([-9, -1, -10, -1, -1, -11]), paid(3));
    expect(found(result)).toEqual([]);
    // The other two could each be read in two ways.
    expect(result.learntForms).toEqual({ 'payment USD': { beside: 1 } });
  });

  test('in another form than usual are a break', () => {
    expect(found(reconciled(entriesOf([-10, -11, -12, -12, -1]), paid(4)))).toEqual(['fee_differs p3 e3 e4']);
  });

  test('follow what earlier days reported where this day tells nothing', () => {
    const result = reconciled(entriesOf([-10]), paid(1), { knownForms: { 'payment USD': { beside: 90 } } });
    expect(found(result)).toEqual(['fee_differs p0 e0']);
  });

  test('are never looked for among entries that are not neighbours', () => {
    expect(found(reconciled(entriesOf([-9, -500, -1]), [...paid(1), aFact('q', 'payment', '-500')]))).toEqual([
      'fee_differs p0 e0',
      'unexplained_entry e2',
    ]);
  });

  test('of one transaction may be apart', () => {
    const entries = entriesOf([{ change: -9, transactionId: '7' }, -500, { change: -1, transactionId: '7' }]);
    expect(found(reconciled(entries, [...paid(1), aFact('q', 'payment', '-500')]))).toEqual([]);
  });

  test('may be left out of refunds, if they usually are', () => {
    const refunds = [30, 40, 50].map((amount) => aFact(`r${amount}`, 'refund', String(amount), { fees: ['2'] }));
    expect(found(reconciled(entriesOf([28, 38, 48]), refunds))).toEqual([]);
    expect(found(reconciled(entriesOf([30, 40, 48]), refunds))).toEqual(['fee_differs r50 e2']);
  });
});

describe('amounts', () => {
  test('that are equal match as a group', () => {
    const result = reconciled(entriesOf([-5, -5]), [aFact('a', 'payment', '-5'), aFact('b', 'payment', '-5')]);
    expect(result.matched.map(({ isAmbiguous }) => isAmbiguous)).toEqual([true, true]);
    expect(found(result)).toEqual([]);
  });

  test('of entries that are dated with a day alone match facts of that day', () => {
    const entries = entriesOf([-5, -6]).map((entry) => ({ ...entry, date: '2026-03-02' }));
    expect(found(reconciled(entries, [aFact('a', 'payment', '-5'), aFact('b', 'payment', '-6')]))).toEqual([]);
  });

  test('are not added up', () => {
    const result = reconciled(entriesOf([-3, -4]), [aFact('a', 'payment', '-7')]);
    expect(found(result)).not.toContain('fee_differs a e0 e1');
    expect(result.matched.flatMap(({ movements }) => movements).length).toBeLessThan(2);
  });

  test('that differ are a pair only if nothing else can be meant', () => {
    expect(found(reconciled(entriesOf([-101]), [aFact('a', 'payment', '-100')]))).toEqual(['wrong_amount a e0']);
    const two = [aFact('a', 'payment', '-100'), aFact('b', 'payment', '-102')];
    expect(found(reconciled(entriesOf([-101]), two))).toEqual([
      'missing_entry a',
      'missing_entry b',
      'unexplained_entry e0',
    ]);
  });

  test('that the provider lists for the same payment are a pair, however different', () => {
    const listed = [aFact('theirs', 'payment', '-700', { providerId: 'p-a' })];
    const two = [aFact('a', 'payment', '-100'), aFact('b', 'payment', '-710')];
    expect(found(reconciled(entriesOf([-700]), two, { listed }))).toEqual(['wrong_amount a e0', 'missing_entry b']);
  });
});

describe('what only the provider knows', () => {
  test('a payment made in its dashboard is named', () => {
    const result = reconciled(entriesOf([-70]), [], { listed: [aFact('dashboard-1', 'payment', '-70')] });
    expect(found(result)).toEqual(['unexplained_entry dashboard-1 e0']);
  });

  test('a payment of unknown outcome explains its debit, and is no break without one', () => {
    const unknown = aFact('a', 'payment', '-70', { certainty: 'possible' });
    expect(found(reconciled(entriesOf([-70]), [unknown]))).toEqual([]);
    expect(found(reconciled(entriesOf([]), [unknown]))).toEqual([]);
  });

  test.each([
    [true, 0, []],
    [true, 3, ['missing_entry a', 'unexplained_entry e0']],
    [false, 3, []],
    [false, 8, ['unexplained_entry e0']],
  ])('a debit of a payment (known to be funded: %s) comes %d days later: %j', (isFunded, days, breaks) => {
    const fundedFromMs = NOON_MS - days * DAY_MS;
    const amounts = { currency: 'USD', totalAmount: '70', sellAmount: '70', fees: [] };
    const times = { fundedFromMs, fundedUntilMs: fundedFromMs, isFunded };
    const fact = paymentFact({ factId: 'a', providerId: 'p', ...amounts, ...times });
    expect(found(reconciled(entriesOf([-70]), [fact])).sort()).toEqual(breaks);
  });

  test('a refund without a payment is a break although it was credited', () => {
    const refund = aFact('r', 'refund', '20', { paymentId: null });
    expect(found(reconciled(entriesOf([20]), [refund]))).toEqual(['refund_without_payment r e0']);
  });
});

describe('within the lag', () => {
  const asOfMs = NOON_MS + 2 * HOUR_MS;

  test('both sides are open, and match when the other side appears', () => {
    const first = reconciled(entriesOf([-5]), [aFact('late', 'payment', '-7')], { asOfMs });
    expect(first.breaks).toEqual([]);
    expect(first.openFacts.map(({ factId }) => factId)).toEqual(['late']);
    expect(first.openEntries.map(({ entryId }) => entryId)).toEqual(['e0']);
    const carried = carryForward(first);
    const movements = [...carried.movements, ...entriesOf([-5, -7]).slice(1)];
    const facts = [...carried.facts, aFact('reported later', 'payment', '-5')];
    const second = reconciled(movements, facts, { explained: carried.explained });
    expect(found(second)).toEqual([]);
    expect(second.openFacts).toEqual([]);
  });

  test('an entry too many is open, and afterwards a double entry although its twin is closed', () => {
    const first = reconciled(entriesOf([-5, -5]), [aFact('a', 'payment', '-5')], { asOfMs });
    expect(first.breaks).toEqual([]);
    const { movements, facts, ...carried } = carryForward(first);
    const again = reconciled(movements, [...facts], carried);
    expect(again.breaks).toMatchObject([{ type: 'double_entry', factIds: ['a'], entryIds: ['e1'] }]);
  });

  test('a broken chain is reported at once', () => {
    const [one, , three] = entriesOf([-5, -6, -7]) as [Movement, Movement, Movement];
    const facts = ['-5', '-6', '-7'].map((amount) => aFact(`a${amount}`, 'payment', amount));
    expect(found(reconciled([one, three], facts, { asOfMs }))).toEqual(['chain_broken a-6 e0 e2']);
  });
});
