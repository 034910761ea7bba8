import { OWN_AMOUNT_FORM } from '../../../domain/import-profiles/forms.ts';
import { describe, expect, it, test } from 'vitest';
import { proposeAmountForm, proposeDateForm } from '../../../domain/import-profiles/propose-forms.ts';
import { proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';

const cellsOf = (lines: string[]) => lines.map((cell, index) => ({ line: index + 2, cell }));

describe('the form of amounts', () => {
  const formOf = (...cells: string[]) => {
    const { form } = proposeAmountForm(cellsOf(cells));
    return form && `${form.decimalSign}${form.groupSeparator}`;
  };

  test.each([
    [['1.234,56', '99,90'], ',.'],
    [['1,234.56', '99.90'], '.,'],
    [['99,90', '5'], ','],
    [['1 234,56'], ', '],
    [["1'234.56"], ".'"],
    [['1250', '5'], '.'],
    [['1.234.567'], ',.'],
    [['€ 1.234,56', '99,90 €'], ',.'],
    [['1.234', '12,50'], ',.'],
    [['1.234,56', '1.234,57', '99,90', '1,00', 'see invoice'], ',.'],
    [['1.234,56', '-5,00'], ',.'],
  ])('of %j is decided', (cells, form) => {
    expect(formOf(...cells)).toBe(form);
  });

  it('stays open where two readings are possible, and both are shown on three rows', () => {
    expect(proposeAmountForm(cellsOf(['5', '1.234', '7', '12.500', '8']))).toEqual({
      form: null,
      readings: [
        {
          form: { decimalSign: '.', groupSeparator: '' },
          rows: [
            { line: 3, cell: '1.234', read: '1.234' },
            { line: 5, cell: '12.500', read: '12.500' },
            { line: 2, cell: '5', read: '5' },
          ],
        },
        {
          form: { decimalSign: ',', groupSeparator: '.' },
          rows: [
            { line: 3, cell: '1.234', read: '1234' },
            { line: 5, cell: '12.500', read: '12500' },
            { line: 2, cell: '5', read: '5' },
          ],
        },
      ],
    });
  });

  it('is ours where no cell is a text', () => {
    expect(proposeAmountForm([])).toEqual({ form: OWN_AMOUNT_FORM, readings: [] });
    const proposal = proposeProfile({
      headers: ['Amount'],
      records: [{ line: 2, cells: ['1.234'], values: ['1234'] }],
      constants: {},
    });
    expect(proposal.amountForm).toEqual({ form: OWN_AMOUNT_FORM, readings: [] });
    expect(proposal.profile.amountForm).toEqual(OWN_AMOUNT_FORM);
  });
});

describe('the form of dates', () => {
  const formOf = (...cells: string[]) => {
    const { form } = proposeDateForm(cellsOf(cells));
    return form && `${form.order}${form.yearDigits}`;
  };

  test.each([
    [['27.11.2026'], 'dmy4'],
    [['03/04/2026', '12/27/2026'], 'mdy4'],
    [['2026-11-27'], 'ymd4'],
    [['20261127'], 'ymd4'],
    [['27 Nov 2026'], 'dmy4'],
    [['Nov 5, 2026'], 'mdy4'],
    [['31.12.26', '30.11.99'], 'dmy2'],
    [['03/04/2026', '04/05/2026'], null],
    [['04/04/2026'], null],
    [['27.11.26'], null],
    [['soon'], null],
  ])('of %j is %s', (cells, form) => {
    expect(formOf(...cells)).toBe(form);
  });

  it('is shown in both readings', () => {
    const { readings } = proposeDateForm(cellsOf(['03/04/2026']));
    expect(readings.map(({ form, rows }) => [form.order, rows[0]?.read])).toEqual([
      ['dmy', '2026-04-03'],
      ['mdy', '2026-03-04'],
    ]);
  });
});
