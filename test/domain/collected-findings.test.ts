import { describe, expect, it } from 'vitest';
import { RowMarks } from '../../domain/runs/collected-findings.ts';
import { FoundNames } from '../../domain/runs/found-names.ts';
import { RowGroup } from '../../domain/runs/found-rows.ts';
import type { RowFacts } from '../../domain/runs/run-findings.ts';
import { aRow, collected, NEVER } from './row-facts.ts';

const newOne = (name: string): RowFacts => aRow({ name, account: name, before: NEVER });

describe('of more findings than are listed', () => {
  const rows = ['one', 'two', 'three', 'one', 'three', 'four'].map(newOne);
  const findings = collected(rows, { maxListed: 2 });
  const { listed, counts } = findings.finish();

  it('the first are listed, with their later rows as well', () => {
    const numbers = listed.map(({ found }) => [...found.numbers]);
    expect(numbers).toEqual([[rows[0], rows[3]], [rows[1]]].map((of) => of.map((row) => row?.rowNumber)));
  });

  it('each is counted once', () => {
    expect(counts.get('new_beneficiary')).toBe(4);
    expect(counts.get('look_alike')).toBe(0);
  });

  it('every row is marked', () => {
    for (const { rowNumber } of rows) expect(findings.marks.of(rowNumber)).toEqual(['new_beneficiary']);
  });
});

it('damaged rows are one finding, and nothing else is found in them', () => {
  const damaged = [newOne('one'), newOne('two')];
  const findings = collected([]);
  for (const row of damaged) findings.addUnreadable(row);
  expect(findings.finish().listed.map(({ kind, found }) => [kind, found.rowCount])).toEqual([['row_unreadable', 2]]);
});

it('a row may have several marks, and none has those of another', () => {
  const marks = new RowMarks();
  marks.add(5_000, 'new_beneficiary');
  marks.add(5_000, 'row_unreadable');
  expect(marks.of(5_000)).toEqual(['row_unreadable', 'new_beneficiary']);
  expect([0, 4_999, 5_001, 1_000_000].flatMap((row) => marks.of(row))).toEqual([]);
  expect(new RowMarks(marks.bits).of(5_000)).toEqual(['row_unreadable', 'new_beneficiary']);
});

it('thousands of amounts are summed exactly, and only the first hundred rows are kept', () => {
  const found = new RowGroup();
  for (let n = 0; n < 3_001; n += 1) found.add(aRow({ amount: n === 0 ? '0.1' : '0.10' }));
  expect(found.shown('id')).toMatchObject({ rowCount: 3_001, amounts: [{ currency: 'EUR', amount: '300.10' }] });
  expect([found.rows.length, found.numbers.length]).toEqual([100, 3_001]);
});

it('of an account with many names the first hundred are listed, and all are counted', () => {
  const names = new FoundNames();
  for (let n = 0; n < 300; n += 1) names.add(aRow({ name: `name-${n % 150}` }));
  expect(names.count).toBe(150);
  expect(names.listed().map(({ rowCount }) => rowCount)).toEqual(Array.from({ length: 100 }, () => 2));
});
