import { expect, it } from 'vitest';
import { changedContent, draftFile } from '../../application/payment-file/draft-content.ts';
import { withoutFormulaMarks } from '../../application/payment-file/exceptions-file.ts';
import { csvRecords } from '../../application/payment-file/csv-records.ts';
import { PAYMENT_FILE_LIMITS } from '../../application/payment-file/payment-file-limits.ts';

const NOTHING = { problems: [], problemCount: 0, warnings: [], warningCount: 0 };

it('a draft of an exceptions file is written as it was shown, apostrophes included', () => {
  const columns = ['row_ref', 'payment_reference', 'payrun_status', 'payrun_reason'];
  const shown = [columns, ["'=x", "''=1", 'failed', ''], ['a;=1', '-5', 'failed', "'+x"]];
  const { csv } = draftFile({ columns, rows: shown.slice(1) });
  expect(withoutFormulaMarks(csvRecords(csv, PAYMENT_FILE_LIMITS).records)).toEqual(shown);
});

it('the columns are looked up once, however many cells are changed by our names', () => {
  let reads = 0;
  const mapping = new Proxy({ Betrag: 'amount' } as Record<string, string>, {
    ownKeys: (target) => {
      reads += 1;
      return Reflect.ownKeys(target);
    },
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const count = 1_000;
  const content = { columns: ['row_ref', 'Betrag'], rows: Array.from({ length: count }, () => ['', '']) };
  const cells = content.rows.map((_cells, index) => ({ row: index + 1, column: 'amount', value: '1.00' }));
  const change = { revision: 1, cells, fill: [], removeRows: [], mapping: null, defaults: null };
  const { rows } = changedContent({ ...content, mapping, defaults: {} }, NOTHING, change);
  expect(rows.every(([, amount]) => amount === '1.00')).toBe(true);
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(20);
});
