import type { Explanation } from '../explanation.ts';

/** What a person must know of a sheet that was read, and what can be done. */
export const SHEET_NOTES = {
  row_left_out: {
    cause: 'the row is none of the table: it is a sum, a note, or repeats the headers',
    fix: 'if it is a payment, fill its other cells, and submit the file again',
  },
  cell_corrected: {
    cause: 'a cell was changed after the sheet was read; what the sheet says there is shown',
    fix: 'see whether you know why: it is paid as it was changed',
  },
  sum_differs: {
    cause: 'a row of sums says something else than the amounts above it add up to',
    fix: 'see whether a row is missing, is there twice or was changed after the sum',
  },
  no_day: {
    cause:
      'a row is empty in the column of days on which payments are made, so it is paid as soon as the run is approved',
    fix: 'write a day where a payment is to be made later',
  },
  number_cut: {
    cause: 'a number of more than 15 digits ends in zeros: Excel replaces all digits after the 15th by zeros',
    fix: 'compare it with where it comes from, and keep such numbers in a column formatted as text',
  },
  shown_otherwise: {
    cause: 'the sheet shows another number than it holds, such as a rounded one; the number that it holds is read',
    fix: 'show all of its digits, or round it in the sheet',
  },
  date_not_real: {
    cause: 'a cell has the format of a date, and a number that is no date',
    fix: 'write the date again',
  },
  hidden_rows: {
    cause: 'rows are hidden; they are read as all others',
    fix: 'show them, and delete what is not meant',
  },
  filtered_rows: {
    cause: 'a filter hides rows; they are read as all others',
    fix: 'clear the filter, and delete what is not meant',
  },
  hidden_columns: {
    cause: 'columns are hidden; they are read as all others',
    fix: 'show them, and delete what is not meant',
  },
  formula_without_value: {
    cause: 'a formula has no stored result, so the cell is empty',
    fix: 'open the file in a spreadsheet program, and save it',
  },
  formula_result: {
    cause: 'who is paid, or how much, is the stored result of a formula; it is read as it is stored',
    fix: 'have the sheet calculated and saved again, and compare the result with its document',
  },
  error_value: {
    cause: 'a formula has an error instead of a result',
    fix: 'correct the formula, or write the value',
  },
  merged_cells: {
    cause: 'cells are merged: only the first one of them has a value, all others are empty',
    fix: 'unmerge them, and fill each cell',
  },
  other_sheets: {
    cause: 'other sheets of the workbook have content; they are not read',
    fix: 'submit them separately if they have payments',
  },
  chosen_sheet_hidden: {
    cause: 'the sheet that is read is hidden: who opens the workbook sees another one',
    fix: 'show it, and see whether its payments are the ones that are meant',
  },
  hidden_sheets: {
    cause: 'hidden sheets of the workbook have content; they are not read',
    fix: 'show them, and see whether they have payments',
  },
  other_blocks: {
    cause: 'other blocks of the order have payments; they are not read',
    fix: 'submit them separately: each becomes a run of its own',
  },
  debtor_not_used: {
    cause: 'the order says who pays from which account with which bank; payrun pays from the account with the provider',
    fix: 'see that the run pays from the account that is meant',
  },
  not_carried_out: {
    cause: 'the order has a part that payrun does not carry out',
    fix: 'if it matters, give the payment to a bank',
  },
} as const satisfies Record<string, Explanation>;

export type SheetNoteCode = keyof typeof SHEET_NOTES;
