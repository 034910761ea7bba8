import { expect, test } from 'vitest';
import type { Fact, FactKind } from '../../domain/accounts/money-fact.ts';
import { canonicalAmount } from '../../domain/money.ts';
import { bookDay, type BookedDay, type BroughtForward } from '../../domain/reconciliation/book-day.ts';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import { tablesUnder } from '../helpers/document-tables.ts';

const DAY = '2026-03-02';
const NEXT = '2026-03-03';

const [history = [], expectations = [], lines = [], breaks = []] = tablesUnder('reconciliation.md', 'A worked example');
const at = (time = ''): number => Date.parse(`${DAY}T${time}:00Z`);

const movements = history.map(
  (row): Movement => ({
    ...{ entryId: row['entry'] ?? '', date: at(row['time']), currency: 'USD', type: '', transactionId: null },
    ...{ amountBefore: row['before'] ?? '', amountAfter: row['after'] ?? '' },
  }),
);

const facts = expectations.map((row): Fact => {
  const fees = row['fee'] === '' || row['fee'] === undefined ? [] : [row['fee']];
  const leg = {
    currency: 'USD',
    amount: row['amount'] ?? '',
    fees,
    fromMs: at(row['from']),
    untilMs: at(row['until']),
  };
  const factId = row['fact'] ?? '';
  return { factId, kind: row['kind'] as FactKind, certainty: 'expected', providerId: null, legs: [leg] };
});

function booked(
  day: string,
  brought: BroughtForward | null,
  given: Pick<Parameters<typeof bookDay>[0], 'movements' | 'facts'>,
) {
  return bookDay({ account: 'main', day, shown: {}, listed: [], brought, ...given });
}

const first = booked(DAY, null, { movements, facts });
const next = booked(NEXT, first.carried, {
  movements: [],
  facts: facts.filter(({ factId }) => !first.closedFacts.includes(factId)),
});

test('the tables of the example are there', () => {
  expect([history.length, expectations.length, lines.length, breaks.length]).toEqual([7, 5, 6, 4]);
});

test('the books of the example are as the document says', () => {
  const [books] = first.books;
  const totals = (books?.totals ?? []).map(({ entryClass, count, amount }) => [entryClass, String(count), amount]);
  expect([['opening', '', books?.opening], ...totals, ['closing', '', books?.closing]]).toEqual(
    lines.map((row) => [row['the books'], row['entries'], canonicalAmount(row['amount'] ?? '')]),
  );
});

test('the breaks of the example are as the document says', () => {
  const found = (day: string, { reconciliation }: BookedDay): string[][] =>
    reconciliation.breaks.map(({ type, factIds, entryIds }) => [day, type, factIds.join(' '), entryIds.join(' ')]);
  expect([...found(DAY, first), ...found(NEXT, next)]).toEqual(
    breaks.map((row) => [row['on'], row['break'], row['facts'], row['entries']]),
  );
  expect(next.books[0]?.reclassified.map(({ from, to, amount }) => [from, to, amount])).toEqual([
    ['open', 'unexplained', '-30'],
    ['open', 'unexplained', '-25'],
  ]);
});

test('the document explains every break', () => {
  const [rows = []] = tablesUnder('reconciliation.md', 'Breaks');
  expect(rows.map((row) => row['break'])).toEqual([...BREAK_TYPES]);
});
