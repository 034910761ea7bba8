import { describe, expect, test } from 'vitest';
import type { BookAccount } from '../../domain/beneficiaries/beneficiary-book.ts';
import { checkBookRow } from '../../domain/payment-file/check-book-row.ts';
import { corridorsOfBook } from '../../domain/payment-file/corridors.ts';
import { cellsOf } from '../../domain/payment-file/fill-from-book.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import { aRow, check as checkRows, type CheckedRows } from './payment-rows.ts';

const ROW = aRow().cells;
const DETAILS: Cells = Object.fromEntries(
  Object.entries(ROW).filter(([name]) => /^(beneficiary|bank|intermediary)_/.test(name)),
);
const PAYMENT: Cells = Object.fromEntries(Object.entries(ROW).filter(([name]) => !(name in DETAILS)));

function anAccount(parts: Cells = {}, isConfirmed = true): BookAccount {
  const cells = { ...DETAILS, bank_currency: 'EUR', ...parts, beneficiary_key: 'S-1' };
  const { line, problems } = checkBookRow(aRowOf(cells));
  if (line === null) throw new Error(JSON.stringify(problems));
  return { details: line.details, isConfirmed };
}

function check(cells: Cells, ...accounts: BookAccount[]) {
  return opened(checkRows(aRowOf({ ...PAYMENT, ...cells }), { book: new Map([['S-1', accounts]]) }));
}

function aRowOf(cells: Cells) {
  return { line: 2, cells, unread: [], original: [] };
}

function opened({ valid, problems }: CheckedRows) {
  return { instruction: valid[0] ?? null, problems };
}

const codesOf = ({ problems }: ReturnType<typeof check>) => problems.map(({ code }) => code);

describe('a row that names a beneficiary of the book', () => {
  test('is filled from its account, as if the row had described it', () => {
    const described = opened(checkRows(aRowOf({ ...PAYMENT, ...DETAILS, bank_currency: 'EUR' })));
    const { instruction } = check({ beneficiary_key: ' s-1 ' }, anAccount());
    expect(instruction).not.toBeNull();
    expect(instruction).toEqual(described.instruction);
  });

  test('gives details only as the book has them', () => {
    expect(check({ ...DETAILS, beneficiary_key: 'S-1' }, anAccount()).problems).toEqual([]);
    const other = check({ beneficiary_key: 'S-1', bank_account_holder_name: 'Somebody Else' }, anAccount());
    expect(other.problems).toMatchObject([
      {
        code: 'book_contradicted',
        column: 'beneficiary_key',
        problem: 'the book has another bank_account_holder_name for this beneficiary',
      },
    ]);
    const more = check({ beneficiary_key: 'S-1', intermediary_account_number: '8900123' }, anAccount());
    expect(codesOf(more)).toEqual(['book_contradicted']);
  });

  test('that the book does not have, or not in this currency, is refused with one problem', () => {
    expect(codesOf(check({ beneficiary_key: 'S-2' }, anAccount()))).toEqual(['book_unknown']);
    expect(codesOf(check({ beneficiary_key: 'S-1' }))).toEqual(['book_without_account']);
    const inOther = { ...anAccount(), details: anAccount({ bank_currency: 'SGD' }).details };
    expect(codesOf(check({ beneficiary_key: 'S-1' }, inOther))).toEqual(['book_without_account']);
  });

  test('is refused with one problem where several accounts fit, until it says which', () => {
    const second = anAccount({ bank_account_holder_name: 'Second Account Ltd' });
    expect(codesOf(check({ beneficiary_key: 'S-1' }, anAccount(), second))).toEqual(['book_ambiguous']);
    const chosen = check(
      { beneficiary_key: 'S-1', bank_account_holder_name: 'SECOND account  ltd' },
      anAccount(),
      second,
    );
    expect(chosen.instruction?.beneficiary).toEqual({ kind: 'details', details: second.details });
  });

  test('is paid to the confirmed account while another one waits for its confirmation', () => {
    const proposed = anAccount({ bank_account_holder_name: 'Changed Ltd' }, false);
    const { instruction } = check({ beneficiary_key: 'S-1' }, proposed, anAccount());
    expect(instruction?.beneficiary).toEqual({ kind: 'details', details: anAccount().details });
    expect(check({ beneficiary_key: 'S-1' }, proposed).instruction?.beneficiary).toEqual({
      kind: 'details',
      details: proposed.details,
    });
  });

  test("does not name one of the provider's as well", () => {
    expect(codesOf(check({ beneficiary_key: 'S-1', beneficiary_id: 'ben_1' }, anAccount()))).toEqual([
      'beneficiary_ambiguous',
    ]);
  });
});

describe('a line of the book', () => {
  test('is read back from the columns that it fills', () => {
    const { details } = anAccount({ intermediary_bank_name: 'First Harbour Bank', beneficiary_nickname: 'N' });
    const { line } = checkBookRow(aRowOf({ ...cellsOf(details), beneficiary_key: 'S-1' }));
    expect(line?.details).toEqual(details);
  });

  test('needs a key, a currency and an account whose fields agree', () => {
    const codes = (cells: Cells) => checkBookRow(aRowOf(cells)).problems.map(({ code }) => code);
    expect(codes({ ...DETAILS, bank_currency: 'EUR' })).toContain('missing_value');
    expect(codes({ ...DETAILS, beneficiary_key: 'S 1', bank_currency: 'EUR' })).toEqual(['beneficiary_key_form']);
    expect(codes({ ...DETAILS, beneficiary_key: 'S-1', bank_currency: 'pounds' })).toContain('unknown_code');
    expect(codes({ beneficiary_key: 'S-1', bank_currency: 'EUR' })).toContain('missing_value');
    expect(codes({ beneficiary_key: 'S-1', beneficiary_id: 'ben_1', bank_currency: 'EUR' })).not.toEqual([]);
  });

  test('says which corridor it is in', () => {
    expect(corridorsOfBook(new Map([['S-1', [anAccount(), anAccount()]]]))).toHaveLength(1);
  });
});
