import { beforeAll, expect, test } from 'vitest';
import { writeStatement } from '../../application/reconciliation/write-statement.ts';
import { daysOfBooks } from './days-of-history.ts';
import { classLines } from '../../domain/reconciliation/entry-class.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import { DayGenerator } from '../../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../../fixtures/reconciliation/planted-day.ts';
import { reconcileDay } from './reconcile-day.ts';
import { type SchemaValidator, schemaValidator } from './schema-validator.ts';

const DAY = Date.UTC(2026, 2, 2);
const madeAt = new Date(DAY);

let validate: SchemaValidator;
beforeAll(() => {
  validate = schemaValidator('camt.053.001.08');
});

test.for([
  ['a clean day', new DayGenerator(3, DAY)],
  ['a day with breaks', new PlantedDayGenerator(4, DAY)],
] as const)('statements of %s are valid by the schema of camt.053.001.08, in 0, 2 and 3 decimals', ([, generator]) => {
  const result = reconcileDay(generator.generate(5_000));
  const lines = classLines(result);
  for (const { currency, history } of result.chains) {
    for (const books of daysOfBooks(history, currency, '2026-03-02')) {
      const document = writeStatement({ account: 'main', books, lines, madeAt });
      expect(validate(document), `${currency} ${books.day}`).toBe('');
      expect(document.match(/<Ntry>/g)).toHaveLength(books.entries.length);
    }
  }
});

test('a statement is valid whatever characters and lengths the provider and the account have', () => {
  const entry = (entryId: string, amountBefore: string, amountAfter: string, type: string): Movement => ({
    ...{ entryId, date: 'no date', currency: 'KWD', amountBefore, amountAfter, type, transactionId: 't'.repeat(80) },
  });
  const entries = [
    entry('<&>"\u0000\u001f]]>\ud83d\ude00', '0', '-1.001', '\u0007\ufffe <script>'),
    entry('f3b1c1de-5a20-4a5e-9e0b-3e5d5a0e0f11', '-1.001', '-1.001', ''),
    entry('y'.repeat(600), '-1.001', '999999999999.999', 'z'.repeat(600)),
  ];
  const books = {
    currency: 'KWD',
    day: '2026-03-02',
    opening: '0',
    closing: '999999999999.999',
    entries,
    historyHash: '',
  };
  const document = writeStatement({ account: 'ä'.repeat(60), books, lines: [], madeAt });
  expect(validate(document)).toBe('');
  expect(document).toContain('f3b1c1de5a204a5e9e0b3e5d5a0e0f11');
});

test('the validator finds an error', () => {
  const books = { currency: 'USD', day: 'yesterday', opening: '0', closing: '0', entries: [], historyHash: '' };
  expect(validate(writeStatement({ account: 'main', books, lines: [], madeAt }))).toContain('yesterday');
});
