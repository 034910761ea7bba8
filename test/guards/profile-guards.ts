import type { Guard } from './guard.ts';

const FORMS = 'test/domain/import-profiles/read-amounts-and-dates.test.ts';
const RECORDS = 'test/domain/import-profiles/read-record.test.ts';
const PROFILES = 'test/domain/import-profiles/profile.test.ts';

const PROPOSALS = 'test/domain/import-profiles/propose-profile.test.ts';
const KNOWN = 'test/workflows/known-profiles.services.ts';

/** Checks of how a sheet of other columns becomes payments. */
export const PROFILE_GUARDS: readonly Guard[] = [
  {
    id: 'profile-of-these-headers',
    against: 'a profile reads a sheet that it was not made for, with a column that nobody looked at',
    without: '',
    test: { file: RECORDS, name: 'says a header that is missing, added or changed' },
  },
  {
    id: 'account-from-the-sheet',
    against: 'a row whose account is missing in the sheet is paid to the account that a profile has for empty cells',
    without: '',
    test: { file: PROFILES, name: 'is refused with two sources of an account' },
  },
  {
    id: 'encoding-not-guessed',
    against: 'a file is read in an encoding that nobody chose, and names that nobody wrote are paid',
    without: '',
    test: { file: 'test/application/read-payment-file.test.ts', name: 'is in an encoding that it does not say' },
  },
  {
    id: 'exceptions-as-written',
    against: 'names of exceptions.csv are read in the encoding of the sheet that its rows came from, and paid as such',
    without: 'const isException = (await isExceptionsFile(content)) && false;',
    test: { file: 'test/application/read-payment-file.test.ts', name: 'is read as it was written' },
  },
  {
    id: 'payments-above-headers',
    against: 'a sheet was sorted with its headers, and the payments above them are lost',
    without: 'const row: TableRow | undefined = undefined as TableRow | undefined;',
    test: {
      file: 'test/application/read-payment-file.test.ts',
      name: 'is refused in a file of our own headers if it may be a payment',
    },
  },
  {
    id: 'left-out-is-told',
    against: 'who approves a run does not see which lines of the sheet were not read as payments',
    without: 'return [];',
    test: {
      file: 'test/workflows/console-drafts.services.ts',
      name: 'a sheet with other headers is read by its profile, and a column that is missing is added',
    },
  },
  {
    id: 'headers-are-texts',
    against: 'a payment is taken for the line of headers, and lost',
    without: 'if (header === undefined) return null;',
    test: { file: 'test/application/read-payment-file.test.ts', name: 'a line of numbers is not one of headers' },
  },
  {
    id: 'cell-of-one-column',
    against: 'a value for one column goes into a cell that another column is filled from as well, such as the IBAN',
    without: 'return fields.findIndex((each) => each.includes(column));',
    test: { file: 'test/application/draft-content.test.ts', name: 'never into cells that fill other columns as well' },
  },
  {
    id: 'cell-that-is-meant',
    against: 'an amount or account is written into a header that is merely called so, and another one is paid',
    without: 'return byHeader;',
    test: {
      file: 'test/application/draft-content.test.ts',
      name: 'is refused where a header is called so and another one fills it: both may be meant',
    },
  },
  {
    id: 'repeated-headers-in-order',
    against: 'two columns of one name have changed places, and one is read as the other',
    without: 'reordered: false,',
    test: { file: PROFILES, name: '"Gross","Curr.","Net","Curr."]: false' },
  },
  {
    id: 'no-undecided-form',
    against: 'a sheet of texts is read by a profile whose decimal sign or date form nobody decided',
    without: '',
    test: { file: RECORDS, name: 'says a form that is not decided' },
    behind: 'each amount and date that is a text is refused',
  },
  {
    id: 'amount-in-form',
    against: 'an amount in another form than the profile says is read as another amount',
    without: 'if (!/\\d/.test(text)) return null;',
    test: { file: FORMS, name: 'contradicts the form and is refused' },
  },
  {
    id: 'amount-of-row-currency',
    against: 'an amount in one currency is paid in another one',
    without: 'return true;',
    test: { file: FORMS, name: '12,00 USD in a row in EUR' },
  },
  {
    id: 'amount-as-shown',
    against: 'a workbook shows 123.45 to everybody who looks at it and holds 12345, which is paid',
    without: 'if (value !== shown) return { text: value };',
    test: { file: FORMS, name: 'shown as "123.45" in a workbook that holds 12345 is refused' },
  },
  {
    id: 'day-of-the-value',
    against: 'a date of a workbook is read from what its cell shows, with day and month swapped',
    without: '',
    test: { file: FORMS, name: 'is the day that a workbook holds, with any time, and never what the cell shows' },
  },
  {
    id: 'one-text-of-a-cell',
    against: 'a row of exceptions.csv gets another row_ref than its workbook gave it, and is paid a second time',
    without: 'const cellsAsTexts = record.cells;',
    test: { file: RECORDS, name: 'reads alike in the workbook and as texts alone' },
  },
  {
    id: 'constant-for-empty-cells',
    against: 'where a cell cannot be read, the constant is paid instead',
    without: 'readable[column] = cells[column];',
    test: {
      file: RECORDS,
      name: 'says every problem at once, with its line, header and column, and never a constant instead',
    },
    behind: 'the problems keep the row from being paid',
  },
  {
    id: 'nothing-left-of-a-cell',
    against: 'a filled cell of which nothing is left counts as empty, and the constant is paid instead',
    without: "if (text === '') return { text };",
    test: { file: RECORDS, name: 'takes no constant for "--", of which the steps leave nothing' },
  },
  {
    id: 'amount-from-the-sheet',
    against: 'a row without an amount is paid a constant one',
    without: "if (column === 'row_ref' && constant !== null) {",
    test: { file: PROFILES, name: 'is refused with one amount for all rows' },
  },
  {
    id: 'one-account-in-a-text',
    against: 'of two accounts in a cell, one is paid that nobody chose',
    without: 'return only !== undefined',
    test: { file: RECORDS, name: 'an IBAN in "DE89370400440532013000 or NL91ABNA0417164300"' },
  },
  {
    id: 'account-of-another',
    against: 'the account that pays, or a former one, is proposed as that of the beneficiary',
    without: '',
    test: { file: PROPOSALS, name: '"Our IBAN" is not the account of the beneficiary' },
  },
  {
    id: 'amount-in-other-unit',
    against: 'amounts in cents or thousands are proposed as decided, and paid as units of the currency',
    without: 'isOptional: column === null && isOptionalColumn(each),',
    test: { file: PROPOSALS, name: '"Amount (cents)" is left to a person, with the reason' },
  },
  {
    id: 'amount-side-not-guessed',
    against: 'a sheet that says the currency that is paid from has its amounts proposed as what beneficiaries get',
    without: '',
    test: {
      file: 'test/domain/import-profiles/derived-candidates.test.ts',
      name: 'but not which side an amount fixes, where both currencies are there or none is',
    },
  },
  {
    id: 'sell-currency-not-guessed',
    against: 'a sheet of one currency is proposed to be paid from another one, as the last run was',
    without: 'return [asLast];',
    test: {
      file: 'test/application/propose-reading.test.ts',
      name: 'is left to a person where the amounts have another one, by their header',
    },
  },
  {
    id: 'formula-is-told',
    against:
      'what a workbook stores as the result of a formula is paid, whatever the formula gives, and nobody is told',
    without: 'return [];',
    test: {
      file: 'test/application/formula-cells.test.ts',
      name: 'are read as they are stored, and told once for each column of the sheet',
    },
  },
  {
    id: 'payees-not-translated',
    against: 'a profile turns the account of a supplier into another one',
    without: 'if (translated.length < 0) {',
    test: { file: PROFILES, name: 'is refused with a translation of who gets it' },
  },
  {
    id: 'profile-is-confirmed',
    against: 'a profile that decides who gets how much is used without a second person',
    without: 'return [];',
    test: { file: KNOWN, name: 'a new profile is a finding that says by which headers it pays whom how much' },
  },
  {
    id: 'payee-texts-confirmed',
    against: 'a bank or currency that is the same in every row is changed in a known profile, and nobody confirms it',
    without: '',
    test: {
      file: 'test/domain/import-profiles/confirmed-part.test.ts',
      name: 'is each text of a beneficiary or bank: bank_name',
    },
  },
  {
    id: 'text-of-each-run',
    against: "payments of a month are made with last month's text, which nobody was asked for",
    without: '',
    test: {
      file: 'test/domain/import-profiles/confirmed-part.test.ts',
      name: 'a text that beneficiaries read is asked for again, unless the sheet says it',
    },
  },
  {
    id: 'known-once-approved',
    against: 'a sheet is read by a profile that nobody but its maker has seen',
    without: '',
    test: { file: KNOWN, name: 'nobody finds a profile that no run was read by, or one that was not approved' },
    behind: 'such a profile is a finding of the run',
  },
  {
    id: 'known-of-the-account',
    against: 'a sheet is read by a profile that was approved for another account, by other people',
    without: 'where coalesce(known.account, ${account}) is not null',
    test: { file: KNOWN, name: 'it is known of its account alone' },
  },
  {
    id: 'encoding-of-the-file-first',
    against:
      'a sheet in another encoding than the one before is read in that of the one before, and damaged names are paid',
    without: '',
    test: { file: 'test/application/open-known-table.test.ts', name: 'reads it in the encoding that it says itself' },
  },
];
