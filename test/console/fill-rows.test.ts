import { expect, test } from 'vitest';
import { cellsToFill, shownColumns } from '../../console/payment-file/fill-rows.ts';

const DRAFT = { columns: ['Ref', 'Country'], fields: [['row_ref'], ['bank_country']], revision: 4 };

/** Pages of up to 500 rows; the cells of each say which it is. */
function pagesOf(total: number, revision = 4) {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const read = (query: Readonly<Record<string, string | number | null>>) => {
    asked.push(query);
    const [from, limit] = [Number(query['from']), Number(query['limit'])];
    const rows = Array.from({ length: Math.min(limit, total - from) }, (_, index) => ({
      ...{ row: from + index + 1, cells: [`R${from + index + 1}`, 'XX'], problems: [], warnings: [] },
    }));
    return Promise.resolve({ revision, total, rows });
  };
  return { asked, read };
}

test('a value is set for all rows of a cause, with what is saved in each, however many pages they have', async () => {
  const { asked, read } = pagesOf(501);
  const cells = await cellsToFill(DRAFT, { column: 'bank_country', code: 'unknown', firstRow: 1 }, 'GB', read);
  expect(cells).toHaveLength(501);
  expect(cells[500]).toEqual({ row: 501, column: 'Country', value: 'GB', saved: 'XX' });
  expect(asked[1]).toEqual({ code: 'unknown', column: 'bank_country', from: 500, limit: 500 });
});

test('a column that the file lacks is set in all rows, and shown before it is saved', async () => {
  const { asked, read } = pagesOf(2);
  const cells = await cellsToFill(
    DRAFT,
    { column: 'amount_side', code: 'missing_columns', firstRow: null },
    'buy',
    read,
  );
  expect(cells).toEqual([1, 2].map((row) => ({ row, column: 'amount_side', value: 'buy', saved: '' })));
  expect(asked).toEqual([{ only: 'all', from: 0, limit: 500 }]);
  expect(shownColumns(DRAFT, cells)).toEqual({
    columns: ['Ref', 'Country', 'amount_side'],
    fields: [['row_ref'], ['bank_country'], ['amount_side']],
  });
});

test('nothing is set in rows of another state of the draft', async () => {
  const { read } = pagesOf(2, 5);
  const cells = cellsToFill(DRAFT, { column: 'bank_country', code: 'unknown', firstRow: 1 }, 'GB', read);
  await expect(cells).rejects.toThrow('changed meanwhile');
});
