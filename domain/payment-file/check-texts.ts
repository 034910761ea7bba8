import { namesAgree } from '../beneficiaries/name-words.ts';
import type { Destination } from './check-beneficiary.ts';
import type { PaymentColumn } from './csv-columns.ts';
import { PAYMENT_CHANNELS } from './payment-codes.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { asDelivered, asksForTown, type DeliveredText, railName } from './rail-texts.ts';
import type { RowValidation } from './row-validation.ts';

/** Names, addresses and remarks: what is in words. */
const TEXTS: readonly PaymentColumn[] = [
  'payment_reference',
  'purpose_description',
  'beneficiary_company_name',
  'beneficiary_first_name',
  'beneficiary_last_name',
  'beneficiary_address',
  'beneficiary_city',
  'beneficiary_state_or_province',
  'bank_name',
  'bank_account_holder_name',
  'bank_address',
  'intermediary_bank_name',
  'intermediary_address',
];

/** Numbers of accounts, people and documents. */
const IDENTIFIERS: readonly PaymentColumn[] = [
  'payment_reference',
  'beneficiary_business_registration',
  'beneficiary_national_identification_number',
  'bank_account_number',
  'intermediary_account_number',
];

/** What may have been damaged on the way, or never been filled in. Warnings: only a person can say what was meant. */
export function checkTexts(row: RowValidation): void {
  for (const column of TEXTS) checkText(row, column);
  for (const column of IDENTIFIERS) checkIdentifier(row, column);
  checkHolder(row);
}

/** Texts in UTF-8 that were read as another encoding (Windows-1252, Mac OS Roman, code page 850), and signs of a web page. */
const WRONGLY_READ =
  /[ÂÃÄÅÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|(?<=\p{Ll})Ã(?= |$)|â€|√[^\s\d]|[\u2500-\u257f]|&(?:#\d+|[a-z]+);/u;
/** A letter that an encoding did not have. */
const QUESTION_FOR_LETTER = /\p{L}\?\p{L}|(?:^|\s)\?\p{L}/u;

function checkText(row: RowValidation, column: PaymentColumn): void {
  const text = row.text(column);
  if (text === '' || row.hasError(column)) return;
  if (WRONGLY_READ.test(text) || (QUESTION_FOR_LETTER.test(text) && !text.includes('://'))) {
    row.addWarning(column, {
      code: 'damaged_text',
      problem: `letters of ${column} seem to have been damaged by a wrong encoding`,
      fix: 'write them as the invoice shows them, and save the file as UTF-8',
    });
  } else if (isPlaceholder(text)) {
    row.addWarning(column, {
      code: 'placeholder',
      problem: `${column} has a word for what is missing, and it is sent to the bank`,
      fix: 'write what the invoice shows, or leave the cell empty if it is optional',
    });
  }
}

function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.has(text.trim().toLowerCase());
}

/** Columns that have such a text in every row: it is said before the sheet is submitted. */
export function placeholdersIn(texts: Readonly<Partial<Record<PaymentColumn, string>>>): PaymentColumn[] {
  return TEXTS.filter((column) => isPlaceholder(texts[column] ?? ''));
}

/** Spreadsheets keep 15 digits of a number. The numbers of accounts in New Zealand have 16, and end in zeros mostly. */
const CUT_DIGITS = /(?<!\d)\d{15}0+(?!\d)/;

function checkIdentifier(row: RowValidation, column: PaymentColumn): void {
  const text = row.text(column);
  if (text === '' || row.hasError(column)) return;
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) {
    row.addError(column, {
      code: 'scientific_notation',
      problem: `a spreadsheet changed ${column} to scientific notation, so digits may be lost`,
      fix: 'format the column as text and enter it again from the invoice',
    });
  } else if (CUT_DIGITS.test(text) && !(column === 'bank_account_number' && row.text('bank_country') === 'NZ')) {
    row.addWarning(column, {
      code: 'digits_cut',
      problem: `${column} has zeros from its 16th digit on, as spreadsheets write for digits that they have lost`,
      fix: 'compare all digits with the invoice, and format the column as text',
    });
  }
}

function checkHolder(row: RowValidation): void {
  const holder = row.text('bank_account_holder_name');
  const company = row.text('beneficiary_company_name');
  const person = `${row.text('beneficiary_first_name')} ${row.text('beneficiary_last_name')}`.trim();
  const name = company === '' ? person : company;
  if (holder === '' || name === '' || namesAgree(name, holder)) return;
  row.addWarning('bank_account_holder_name', {
    code: 'holder_differs',
    problem: 'the account is held under another name than the beneficiary has',
    fix: 'find out why, by a contact that you know already, before it is paid',
  });
}

/** What the payee's bank gets of the texts, where the rules of the system by which it is paid are known. */
export function checkDelivery(row: RowValidation, { corridor }: Destination): void {
  const channel = PAYMENT_CHANNELS.find((one) => one === row.text('payment_channel')) ?? null;
  const address = ['beneficiary_address', 'beneficiary_postcode', 'beneficiary_city'] as const;
  const delivered = asDelivered(corridor, channel, {
    name: row.text('bank_account_holder_name'),
    address: address
      .map((column) => row.text(column))
      .filter((text) => text !== '')
      .join(' '),
    reference: row.text('payment_reference'),
  });
  if (delivered === null) return;
  const rail = railName(delivered.rail);
  warnOfLetters(row, 'bank_account_holder_name', rail, delivered.name);
  warnOfLetters(row, 'payment_reference', rail, delivered.reference);
  warnOfCut(row, 'payment_reference', rail, delivered.reference);
  if (!asksForTown(delivered.rail) || row.text('beneficiary_address') === '' || row.text('beneficiary_city') !== '')
    return;
  row.addWarning('beneficiary_city', {
    code: 'town_missing',
    problem: `the row has an address without a town, which banks refuse by ${rail}`,
    fix: 'write the town into beneficiary_city, and only street and number into beneficiary_address',
  });
}

function warnOfLetters(row: RowValidation, column: PaymentColumn, rail: string, { lost }: DeliveredText): void {
  const isDamaged = row.warnings.some((warning) => warning.column === column && warning.code === 'damaged_text');
  if (lost.length === 0 || isDamaged || row.hasError(column)) return;
  row.addWarning(column, {
    code: 'letters_lost',
    problem: `${column} has letters that ${rail} does not carry: the payee gets dots or question marks for them`,
    fix: 'write it in Latin letters, as the bank has it',
  });
}

/** Of a reference, by which a payee tells what was paid. The end of a long name or address is missed by nobody: the account is paid. */
function warnOfCut(row: RowValidation, column: PaymentColumn, rail: string, { text, cut }: DeliveredText): void {
  if (cut === '' || row.hasError(column)) return;
  row.addWarning(column, {
    code: 'text_cut',
    problem: `${rail} carries ${text.length} characters of ${column}: the rest is cut off`,
    fix: 'shorten it so that what matters is among them',
  });
}
