import { describe, expect, it } from 'vitest';
import { draftOf } from '../../application/payment-file/draft-views.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import type { DraftProblem, DraftRecord } from '../../store/payment-file/drafts.ts';

/** What a draft says is wrong, by cause, and what is offered for it. */

const COLUMNS = ['row_ref', 'amount', 'amount_side', 'buy_currency', 'sell_currency'];

const aProblem = (row: number | null, parts: Partial<DraftProblem> = {}): DraftProblem => ({
  ...{ row, line: (row ?? 0) + 1, rowRef: null, column: 'amount', value: null },
  ...{ problem: 'it is wrong', fix: 'correct it', code: 'amount_form', ...parts },
});

const groupsOf = (...problems: DraftProblem[]) => {
  const found = { problems, problemCount: problems.length, warnings: [], warningCount: 0, leftOut: null };
  const profile = ownFormatProfile(COLUMNS);
  const record = { columns: COLUMNS, profile, found, rowCount: 9, createdAt: new Date(0), changedAt: new Date(0) };
  return draftOf(record as unknown as DraftRecord, 1).groups;
};

describe('one value for all rows of a cause', () => {
  const fillRows = (...problems: DraftProblem[]) => groupsOf(...problems).map((group) => group.fillRows);

  it('is offered for a column that rows share, and for one row', () => {
    const inColumn = (column: string, row: number) => aProblem(row, { column });
    expect(fillRows(inColumn('bank_country', 1), inColumn('bank_country', 2))).toEqual([2]);
    expect(fillRows(inColumn('amount', 1))).toEqual([1]);
  });

  it('is not offered for several rows in a column that tells payments apart', () => {
    for (const column of [
      'amount',
      'row_ref',
      'bank_account_number',
      'payment_reference',
      'bank_account_holder_name',
    ]) {
      expect(fillRows(aProblem(1, { column }), aProblem(2, { column }))).toEqual([0]);
    }
  });

  it('is offered for all rows where the file lacks the column, and for nothing else that is wrong with its header', () => {
    expect(fillRows(aProblem(null, { column: 'amount_side', code: 'missing_columns' }))).toEqual([9]);
    expect(fillRows(aProblem(null, { column: 'amount', code: 'missing_columns' }))).toEqual([0]);
    expect(fillRows(aProblem(null, { column: 'bank_country', code: 'repeated_header' }))).toEqual([0]);
    expect(fillRows(aProblem(null, { column: 'Betrag', code: 'unknown_header' }))).toEqual([0]);
    expect(fillRows(aProblem(3, { column: null }))).toEqual([0]);
  });
});

describe('rows that may be left out for a cause', () => {
  const ofRef = (row: number, rowRef: string, code: DraftProblem['code'] = 'row_repeated') =>
    aProblem(row, { column: 'row_ref', rowRef, code });
  const offered = (...problems: DraftProblem[]) =>
    groupsOf(...problems).map(({ sameRowRef, leaveOut, fillRows }) => ({ sameRowRef, leaveOut, fillRows }));

  it('are of each repeated invoice all but the first', () => {
    expect(offered(ofRef(2, 'A'), ofRef(3, 'B'), ofRef(7, 'A'), ofRef(8, 'B'), ofRef(9, 'A'))).toEqual([
      {
        sameRowRef: [
          [2, 7, 9],
          [3, 8],
        ],
        leaveOut: [7, 9, 8],
        fillRows: 0,
      },
    ]);
  });

  it('are all but the first as well where a copy is of another amount', () => {
    const found = offered(
      ofRef(2, 'A'),
      ofRef(7, 'A'),
      ofRef(9, 'A', 'row_ref_repeated'),
      ofRef(3, 'B'),
      ofRef(4, 'B'),
    );
    expect(found.map(({ leaveOut }) => leaveOut)).toEqual([
      [7, 9, 4],
      [7, 9],
    ]);
  });

  it('are none where only the beginning of a row_ref is known, or nothing else has it', () => {
    const cut = `${'A'.repeat(80)}…`;
    expect(offered(ofRef(2, cut), ofRef(7, cut), ofRef(3, 'B'))).toMatchObject([{ sameRowRef: [], leaveOut: [] }]);
  });

  it('are those with an amount that is not paid out, for which no value is offered', () => {
    expect(offered(aProblem(4, { code: 'amount_signed' }))).toEqual([{ sameRowRef: [], leaveOut: [4], fillRows: 0 }]);
    expect(offered(aProblem(4, { code: 'amount_zero' }))).toMatchObject([{ leaveOut: [4], fillRows: 0 }]);
    expect(offered(aProblem(4))).toEqual([{ sameRowRef: [], leaveOut: [], fillRows: 1 }]);
  });
});
