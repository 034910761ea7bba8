import { describe, expect, it } from 'vitest';
import { findingIds, type PaidBefore } from '../../domain/runs/run-findings.ts';
import {
  accountChanges,
  accountsOfOtherNames,
  allRowFindings,
  aRow,
  AS_BEFORE,
  checkWarnings,
  failuresBefore,
  foundRows,
  laterDays,
  marksIn,
  NEVER,
  newBeneficiaries,
  refsOf,
  routingChanges,
  unknownDetails,
  unusualAmounts,
} from './row-facts.ts';
import { isAlarming } from '../../domain/runs/run-finding.ts';

it('rows that were paid in the same way before have no findings', () => {
  expect(allRowFindings([aRow(), aRow(), aRow()])).toEqual([]);
});

describe('a changed account', () => {
  const moved: PaidBefore = { ...NEVER, isNamePaid: true, isNameKnownElsewhere: true };

  it('is one never paid under a name that was paid before', () => {
    const rows = [
      aRow(),
      aRow({ before: moved }),
      aRow({ before: NEVER }),
      aRow({ before: { ...NEVER, isAccountPaid: true } }),
    ];
    expect(refsOf(accountChanges(rows))).toEqual([[rows[1]?.rowRef]]);
  });

  it('is one finding for all rows of a name and account', () => {
    const rows = ['a', 'b', 'a'].map((account) => aRow({ name: 'one', account, before: moved }));
    expect(refsOf(accountChanges(rows))).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef], [rows[1]?.rowRef]]);
  });

  it('cannot be found if the account is unknown', () => {
    expect(accountChanges([aRow({ account: null, before: moved })])).toEqual([]);
  });
});

describe('changed bank details', () => {
  const rerouted: PaidBefore = { ...AS_BEFORE, isRoutingPaid: false };

  it('are a new route to an account that was paid under the same name', () => {
    const rows = [aRow(), aRow({ before: rerouted }), aRow({ before: { ...rerouted, isPairPaid: false } })];
    expect(refsOf(routingChanges(rows))).toEqual([[rows[1]?.rowRef]]);
  });

  it('are one finding for all rows with the same route', () => {
    const rows = ['a', 'b', 'a'].map((routing) => aRow({ name: 'one', account: 'one', routing, before: rerouted }));
    expect(refsOf(routingChanges(rows))).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef], [rows[1]?.rowRef]]);
  });

  it('cannot be found if the route is unknown', () => {
    expect(routingChanges([aRow({ routing: null, before: rerouted })])).toEqual([]);
  });
});

describe('an account of another name', () => {
  it('is one with several names in the run, whatever was paid before', () => {
    const rows = [aRow({ account: 'one' }), aRow(), aRow({ account: 'one' })];
    expect(refsOf(accountsOfOtherNames(rows))).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef]]);
  });

  it('is one paid before only under other names', () => {
    const before = { ...NEVER, isAccountPaid: true, isAccountPaidToOthers: true };
    const row = aRow({ before });
    expect(refsOf(accountsOfOtherNames([aRow(), row]))).toEqual([[row.rowRef]]);
  });

  it('is not an account with several rows of one name', () => {
    expect(accountsOfOtherNames([1, 2].map(() => aRow({ account: 'one', name: 'one' })))).toEqual([]);
  });

  it('is not found if accounts or names are unknown', () => {
    expect(accountsOfOtherNames([1, 2].map(() => aRow({ account: null })))).toEqual([]);
    expect(accountsOfOtherNames([aRow({ account: 'one', name: null }), aRow({ account: 'one' })])).toEqual([]);
  });
});

describe('an unusual amount', () => {
  it.each([
    ['300.00', '100.00', false],
    ['300.01', '100.00', true],
    ['300', '100.00', false],
    ['301', '100.00', true],
    // A float cannot represent three times this amount.
    ['0.3', '0.1', false],
    ['0.31', '0.1', true],
    ['9007199254740993', '3002399751580331', false],
    ['9007199254740994', '3002399751580331', true],
  ])('%s after at most %s: %s', (amount, largest, isUnusual) => {
    const row = aRow({ amount, before: { ...AS_BEFORE, largest } });
    expect(unusualAmounts([row])).toHaveLength(isUnusual ? 1 : 0);
  });

  it('needs an earlier payment in the currency', () => {
    expect(unusualAmounts([aRow({ amount: '1000000.00', before: { ...AS_BEFORE, largest: null } })])).toEqual([]);
  });

  it('is one finding for each row', () => {
    const rows = [1, 2].map(() => aRow({ name: 'one', account: 'one', amount: '301.00' }));
    expect(refsOf(unusualAmounts(rows))).toEqual(rows.map(({ rowRef }) => [rowRef]));
  });
});

describe('rows that failed before', () => {
  it('are one finding, which needs no answer', () => {
    const rows = [aRow({ hasFailedBefore: true }), aRow(), aRow({ hasFailedBefore: true })];
    expect(refsOf(failuresBefore(rows))).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef]]);
    expect(isAlarming('failed_before')).toBe(false);
  });
});

describe('a new beneficiary', () => {
  it('is one whose name and account were never paid', () => {
    const rows = [
      aRow({ before: NEVER, name: 'one', account: 'one' }),
      aRow({ before: { ...NEVER, isNamePaid: true } }),
      aRow({ before: { ...NEVER, isAccountPaid: true } }),
      aRow({ before: NEVER, name: 'one', account: 'one' }),
      aRow({ before: NEVER, name: null, account: null, unknown: 'not_read' }),
    ];
    expect(refsOf(newBeneficiaries(rows))).toEqual([[rows[0]?.rowRef, rows[3]?.rowRef]]);
  });
});

describe('unknown details', () => {
  it('are one finding for each id, with all its rows', () => {
    const hidden = { name: null, account: null, unknown: 'not_read' as const, before: NEVER };
    const rows = ['a', 'b', 'a'].map((beneficiaryId) => aRow({ ...hidden, beneficiaryId }));
    expect(refsOf(unknownDetails([aRow(), ...rows]))).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef], [rows[1]?.rowRef]]);
  });
});

describe('a warning of the file check', () => {
  const warningOn = (line: number, code = 'iban_country_differs') => ({
    ...{ line, rowRef: `row-${line}`, column: 'bank_iban', value: `DE${line}`, code },
    ...{ problem: 'the IBAN is of another country', fix: 'compare both with the invoice' },
  });

  it('is one finding for all rows with the same, and none for rows that would not be paid', () => {
    const rows = [aRow(), aRow(), aRow()];
    const [first, second, third] = rows.map(({ line }) => line);
    const found = checkWarnings(
      rows,
      [first, third, 999_999].map((line) => warningOn(line ?? 0)),
    );
    expect(refsOf(found)).toEqual([[rows[0]?.rowRef, rows[2]?.rowRef]]);
    expect(found[0]?.warnings?.map(({ value }) => value)).toEqual([`DE${first}`, `DE${third}`]);
    expect(isAlarming('check_warning')).toBe(false);
    const twice = [warningOn(second ?? 0), warningOn(second ?? 0, 'purpose_deprecated')];
    const several = checkWarnings(rows, twice);
    expect(refsOf(several)).toEqual([[rows[1]?.rowRef], [rows[1]?.rowRef]]);
    // Each can be named, and the row has the mark once.
    expect(findingIds(several)).toEqual([`check_warning:${second}`, `check_warning:${second}:2`]);
    expect(marksIn(rows, twice).check_warning).toEqual([rows[1]?.rowNumber]);
  });
});

describe('the id of a finding', () => {
  it('is its kind and the line of its first row, whatever other findings there are', () => {
    const rows = ['one', 'two', 'one'].map((name) => aRow({ before: NEVER, name, account: name }));
    const all = newBeneficiaries(rows);
    expect(findingIds(all)).toEqual([`new_beneficiary:${rows[0]?.line}`, `new_beneficiary:${rows[1]?.line}`]);
    expect(findingIds(all.slice(1))).toEqual([`new_beneficiary:${rows[1]?.line}`]);
  });
});

describe('later days', () => {
  it('are the days after today, with their row counts', () => {
    const rows = ['2026-12-05', null, '2026-12-01', '2026-11-22', '2026-12-05'].map((payOn) => aRow({ payOn }));
    expect(laterDays(rows, '2026-11-22')).toEqual([
      { day: '2026-12-01', rows: [rows[2]] },
      { day: '2026-12-05', rows: [rows[0], rows[4]] },
    ]);
  });
});

describe('the rows of findings', () => {
  it('are listed up to a hundred, all counted, and summed exactly by currency', () => {
    const rows = Array.from({ length: 150 }, () => aRow({ amount: '0.10' }));
    const found = foundRows('unusual_amount:2', [...rows, aRow({ currency: 'JPY', amount: '7' })]);
    expect(found).toMatchObject({ rowCount: 151, rows: rows.slice(0, 100).map(({ rowRef }) => rowRef) });
    expect(found.amounts).toEqual([
      { currency: 'EUR', amount: '15.00' },
      { currency: 'JPY', amount: '7' },
    ]);
  });

  it('have a mark for each kind of finding', () => {
    const suspicious = aRow({
      amount: '999.00',
      before: {
        ...AS_BEFORE,
        isPairPaid: false,
        isNameKnownElsewhere: true,
        isRoutingPaid: false,
        isAccountPaidToOthers: true,
      },
    });
    const rows = [aRow(), suspicious];
    const found = allRowFindings(rows);
    expect(found.map(({ kind }) => kind)).toEqual(['account_changed', 'account_has_other_names', 'unusual_amount']);
    expect(marksIn(rows)).toEqual({
      row_unreadable: [],
      account_changed: [suspicious.rowNumber],
      look_alike: [],
      names_not_compared: [],
      invoice_paid_before: [],
      similar_payment: [],
      routing_changed: [],
      released_duplicate: [],
      account_has_other_names: [suspicious.rowNumber],
      unusual_amount: [suspicious.rowNumber],
      details_unknown: [],
      check_warning: [],
      failed_before: [],
      new_beneficiary: [],
    });
  });

  it('are found in a run of 100,000 rows in linear time', () => {
    const rows = Array.from({ length: 100_000 }, (_, n) =>
      aRow({ before: NEVER, name: `n${n % 3}`, account: `a${n}` }),
    );
    expect(newBeneficiaries(rows)).toHaveLength(100_000);
    expect(accountsOfOtherNames(rows)).toEqual([]);
    expect(foundRows('new_beneficiary:2', rows)).toMatchObject({ rowCount: 100_000 });
  });
});
