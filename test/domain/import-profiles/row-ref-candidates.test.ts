import { describe, expect, it, test } from 'vitest';
import { proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';
import { preparedReader } from '../../../domain/import-profiles/read-record.ts';

const recordsOf = (rows: string[][]) => rows.map((cells, index) => ({ line: index + 2, cells }));
const proposed = (headers: string[], rows: string[][]) =>
  proposeProfile({ headers, records: recordsOf(rows), constants: {} });

test('a row_ref that comes in many rows is left to a person', () => {
  const proposal = proposed(['Invoice no'], [['1'], ['1']]);
  expect(proposal.columns.find(({ column }) => column === 'row_ref')).toMatchObject({
    isDecided: false,
    candidates: [{ isSure: false }],
  });
});

describe('the row_ref of a payroll', () => {
  const people = [
    ['1001', 'Anna', 'Berger', '30.11.2030', '2450.10'],
    ['1002', 'Jan', 'Berger', '30.11.2030', '1980.55'],
  ];
  const refOf = (headers: string[], rows = people) =>
    proposed(headers, rows).columns.find(({ column }) => column === 'row_ref');

  it('is not the number of a person alone, which is the same next month', () => {
    const found = refOf(['Personnel no', 'First name', 'Last name', 'Pay date', 'Net pay']);
    expect(found).toMatchObject({
      isDecided: true,
      candidates: [
        {
          source: { from: ['Pay date', 'Personnel no'], between: '-', replaceLetters: true, constant: null },
          isSure: false,
          reason: '"Pay date" and "Personnel no" together are different in each row, and in the next month',
        },
        { source: { from: ['Personnel no'] } },
      ],
    });
  });

  test.each([
    ['period', ['Mitarbeiternummer', 'Vorname', 'Name', 'Abrechnungsmonat', 'Nettolohn'], 'Abrechnungsmonat'],
    ['pay date', ['Matricule', 'Prénom', 'Nom', 'Date de paiement', 'Salaire net'], 'Date de paiement'],
  ])('has its %s in another language', (_, headers, time) => {
    expect(refOf(headers)?.candidates[0]?.source.from).toEqual([time, headers[0]]);
  });

  it('is made of names and day where people have no number', () => {
    const headers = ['Team', 'First name', 'Last name', 'Pay date', 'Net pay'];
    const found = refOf(headers);
    expect(found?.candidates.map(({ source }) => source.from)).toEqual([['Pay date', 'First name', 'Last name']]);
    expect(
      preparedReader(proposed(headers, people).profile, headers).read({ line: 2, cells: people[0]! }),
    ).toMatchObject({ cells: { row_ref: '30.11.2030-Anna-Berger' } });
  });

  it('is asked for where nothing tells the rows apart, and a text for every row is never proposed', () => {
    const same = [people[0]!, people[0]!];
    expect(refOf(['Team', 'First name', 'Last name', 'Pay date', 'Net pay'], same)).toBeUndefined();
    const numbers = refOf(['Personnel no', 'First name', 'Last name', 'Pay date', 'Net pay'], same);
    expect(numbers).toMatchObject({ isDecided: false, candidates: [{ source: { from: ['Personnel no'] } }] });
  });
});
