import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invoiceNumberOf } from '../../domain/payments/invoice-number.ts';

describe('the number of an invoice', () => {
  test.each([
    ['Invoice 4711', '4711'],
    ['INV-004711', 'inv 4711'],
    ['Rechnung Nr. 2026/0815', 'RG 2026 815'],
    ['RE-2026-0815', 're 2026 0815'],
    ['Facture n° 2026-118', 'FACTURE 2026118'],
    ['Fattura 770/A', 'fattura n. 0770 a'],
    ['AB-0012-X', 'ab 0012 x'],
  ])('%s is that of %s', (one, other) => {
    expect(invoiceNumberOf(one)).toBe(invoiceNumberOf(other));
  });

  test.each([
    ['Invoice 4711', 'Invoice 4712'],
    ['AB-4711', 'BA-4711'],
    ['4711-1', '4711-2'],
  ])('%s is not that of %s', (one, other) => {
    expect(invoiceNumberOf(one)).not.toBe(invoiceNumberOf(other));
  });

  test.each(['Rent', 'Retainer 2026', 'Salary', 'Q4', 'Miete 12'])('%s has none', (reference) => {
    expect(invoiceNumberOf(reference)).toBe(null);
  });

  test('however its letters and digits are separated, it is the same', () => {
    const separator = fc.constantFrom('', ' ', '-', '/', '.', ' - ');
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 999_999 }), separator, separator, (number, one, other) => {
        expect(invoiceNumberOf(`Invoice A${one}${number}`)).toBe(invoiceNumberOf(`INV a${other}${number}`));
      }),
    );
  });
});
