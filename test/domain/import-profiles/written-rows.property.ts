import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AmountForm, type DateForm, profileSchema } from '../../../domain/import-profiles/profile.ts';
import { proposeAmountForm, proposeDateForm } from '../../../domain/import-profiles/propose-forms.ts';
import { readAmount } from '../../../domain/import-profiles/read-amount.ts';
import { readDate } from '../../../domain/import-profiles/read-date.ts';
import { preparedReader } from '../../../domain/import-profiles/read-record.ts';
import { CSV_COLUMNS, type PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';
import type { Cells } from '../../../domain/payment-file/raw-row.ts';
import { amount, amountForm, date, dateForm, writing, writtenAmount, writtenDate } from './written-forms.ts';

/** A text of a cell as it is after the blanks around it are taken away. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((written) => written.trim())
  .filter((written) => written !== '');

/** Rows of our own columns, their profile, and how somebody wrote them below headers of their own in any order. */
const writtenRow = fc
  .record({
    columns: fc.uniqueArray(fc.constantFrom(...CSV_COLUMNS.map(({ name }) => name)), { minLength: 1, maxLength: 12 }),
    texts: fc.array(text, { minLength: 12, maxLength: 12 }),
    amount,
    date,
    amountForm,
    dateForm,
    writing,
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    unused: text,
  })
  .map((row) => {
    const cells: Cells = {};
    row.columns.forEach((column, index) => {
      cells[column] = column === 'amount' ? row.amount : column === 'pay_on' ? row.date : (row.texts[index] ?? 'x');
    });
    const places = row.columns.map((column, index) => ({ column, place: row.order[index] ?? 0 }));
    const shuffled = places.sort((a, b) => a.place - b.place).map(({ column }) => column);
    return { ...row, cells, shuffled };
  });

const writtenCell = (
  row: { cells: Cells; amountForm: AmountForm; dateForm: DateForm } & {
    writing: Parameters<typeof writtenDate>[2] & Parameters<typeof writtenAmount>[2];
  },
  column: PaymentColumn,
): string => {
  const cell = row.cells[column] ?? '';
  if (column === 'amount') return writtenAmount(cell, row.amountForm, row.writing);
  return column === 'pay_on' ? writtenDate(cell, row.dateForm, row.writing) : cell;
};

describe('a row that is written in a form and read through its profile', () => {
  test('is the same', () => {
    fc.assert(
      fc.property(writtenRow, (row) => {
        const headers = [...row.shuffled.map((column) => `Their ${column}`), 'Unused'];
        const profile = profileSchema.parse({
          name: 'P',
          headers: headers.toReversed(),
          ignored: ['Unused'],
          columns: Object.fromEntries(row.columns.map((column) => [column, { from: [`Their ${column}`] }])),
          amountForm: row.amountForm,
          dateForm: row.dateForm,
        });
        const cells = [...row.shuffled.map((column) => ` ${writtenCell(row, column)}\u00a0`), row.unused];
        const read = preparedReader(profile, headers).read({ line: 2, cells });
        expect(read).toEqual({ cells: { ...row.cells, ...(row.cells.pay_on && { pay_on: row.date }) } });
      }),
      { seed: 33, numRuns: 3_000 },
    );
  });

  test('in another form is the same or refused, unless both forms can write it', () => {
    fc.assert(
      fc.property(amount, amountForm, amountForm, writing, (exact, one, other, how) => {
        const written = writtenAmount(exact, one, how);
        const read = readAmount(written, other, null);
        if (!('text' in read) || read.text === exact) return;
        // Then it is one of the texts that a person has to decide about.
        const { form } = proposeAmountForm([{ line: 2, cell: written }]);
        expect(form).toBeNull();
      }),
      { seed: 33, numRuns: 20_000 },
    );
  });
});

describe('a form that is proposed', () => {
  test('reads every amount of the sheet as it was meant, or stays open', () => {
    let decided = 0;
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 6 }), amountForm, writing, (amounts, form, how) => {
        const cells = amounts.map((exact, index) => ({ line: index + 2, cell: writtenAmount(exact, form, how) }));
        const proposal = proposeAmountForm(cells);
        if (proposal.form === null) {
          expect(proposal.readings.length).toBeGreaterThan(1);
          return;
        }
        decided += 1;
        cells.forEach(({ cell }, index) =>
          expect(readAmount(cell, proposal.form, null)).toEqual({ text: amounts[index] }),
        );
      }),
      { seed: 33, numRuns: 5_000 },
    );
    expect(decided).toBeGreaterThan(2_000);
  });

  test('reads every date as it was meant, or stays open', () => {
    let decided = 0;
    fc.assert(
      fc.property(fc.array(date, { minLength: 1, maxLength: 6 }), dateForm, writing, (days, form, how) => {
        const cells = days.map((day, index) => ({ line: index + 2, cell: writtenDate(day, form, how) }));
        const proposal = proposeDateForm(cells);
        if (proposal.form === null) return;
        decided += 1;
        cells.forEach(({ cell }, index) => {
          // Of a year in two digits, the century is that of payments.
          expect(readDate(cell, proposal.form)).toEqual({ text: days[index] });
        });
      }),
      { seed: 33, numRuns: 5_000 },
    );
    expect(decided).toBeGreaterThan(1_000);
  });
});
