import { describe, expect, it } from 'vitest';
import {
  allRowFindings,
  aRow,
  invoicesPaidBefore,
  lookAlikes,
  namesToCompare,
  NEVER,
  refsOf,
  similarPayments,
} from './row-facts.ts';

describe('what other rows have to do with those of a run', () => {
  it('is asked of each new name with its account once', () => {
    const twice = { name: 'n', account: 'a', before: NEVER };
    const rows = [aRow(twice), aRow(twice), aRow(), aRow({ before: NEVER, account: null }), aRow({ before: NEVER })];
    expect(namesToCompare(rows)).toEqual([rows[0]?.rowNumber, rows[4]?.rowNumber]);
  });

  it('is a look-alike for all rows of the name and the account', () => {
    const rows = [aRow({ name: 'n', account: 'a' }), aRow(), aRow({ name: 'n', account: 'a' })];
    expect(refsOf(lookAlikes(rows, new Set([rows[0]?.rowNumber ?? 0])))).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef]]);
  });

  it('is an invoice however many rows have it, unless it is the reference of a contract', () => {
    const [none, one, several, ofContract, close] = [aRow(), aRow(), aRow(), aRow(), aRow()];
    const rows = [none, one, several, ofContract, close];
    const sameInvoice = new Map([
      [one.rowNumber, 1],
      [several.rowNumber, 5],
      [ofContract.rowNumber, 2],
    ]);
    const others = {
      alike: new Set<number>(),
      notCompared: new Set<number>(),
      sameInvoice,
      ofContract: new Set([ofContract.rowNumber]),
      closeAmount: new Map([one, close].map(({ rowNumber }) => [rowNumber, 1])),
    };
    expect(refsOf(invoicesPaidBefore(rows, others))).toEqual([[one.rowRef], [several.rowRef]]);
    // A release is the answer to it.
    expect(invoicesPaidBefore([{ ...one, release: 'one' }], others)).toEqual([]);
    expect(refsOf(similarPayments(rows, others))).toEqual([[ofContract.rowRef], [close.rowRef]]);
    expect(allRowFindings(rows, [], others).map(({ kind }) => kind)).toEqual([
      'invoice_paid_before',
      'invoice_paid_before',
      'similar_payment',
      'similar_payment',
    ]);
  });
});
