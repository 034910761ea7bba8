import { isCalendarDate } from '../calendar-date.ts';
import { checkCode, checkCountry } from './check-code.ts';
import type { PaymentColumn } from './csv-columns.ts';
import { parseAmount } from '../money.ts';
import {
  AMOUNT_SIDES,
  DEPRECATED_PURPOSES,
  FUNDING_METHODS,
  FUNDING_SOURCES,
  PAYMENT_CHANNELS,
  PURPOSES,
  PURPOSES_TO_DESCRIBE,
  ROW_REF,
} from './payment-codes.ts';
import type { Cells } from './raw-row.ts';
import type { ReferenceData } from './reference-data.ts';
import type { RowValidation } from './row-validation.ts';

/** `row_ref` becomes part of the payment's id and of URLs, so its form is strict. */
export function checkRowRef(row: RowValidation): string | null {
  const rowRef = row.require('row_ref');
  if (rowRef === null || row.hasError('row_ref')) return null;
  if (ROW_REF.test(rowRef)) return rowRef;
  row.addError('row_ref', {
    code: 'row_ref_form',
    problem: 'row_ref has characters other than letters A to Z, digits, dot, _, - and /, or more than 64',
    fix: 'rename the row, for example INV-2026-0412',
  });
  return null;
}

export function checkCurrency(row: RowValidation, column: PaymentColumn, reference: ReferenceData): string | null {
  const code = row.require(column);
  if (code === null || row.hasError(column)) return null;
  if (reference.currencies.has(code)) return code;
  const capitals = code.toUpperCase();
  row.addError(column, {
    code: 'currency_unsupported',
    problem: `${column} is not a currency that the provider supports`,
    fix: reference.currencies.has(capitals)
      ? `write ${capitals}`
      : `use one of ${[...reference.currencies.keys()].sort().join(', ')}`,
  });
  return null;
}

/** A payment in one currency needs no conversion, and so no supported pair. */
export function checkPair(row: RowValidation, sell: string, buy: string, reference: ReferenceData): void {
  if (sell === buy || reference.pairs.has(buy + sell)) return;
  row.addError('buy_currency', {
    code: 'pair_unsupported',
    problem: `the provider does not sell ${sell} for ${buy}`,
    fix: 'pay from another currency',
  });
}

/** The amount with the decimal places of the fixed currency. Contract: payments 2.5. */
export function checkAmount(row: RowValidation, fixedCurrency: string | null, reference: ReferenceData): string | null {
  const text = row.require('amount');
  if (text === null || row.hasError('amount')) return null;
  const currency = fixedCurrency === null ? undefined : reference.currencies.get(fixedCurrency);
  // If the currency is unknown, check at least the form, with more decimal places than any currency has.
  const parsed = parseAmount(text, currency?.decimalPlaces ?? 4);
  if ('amount' in parsed) return parsed.amount;
  row.addError('amount', parsed);
  return null;
}

export function checkAmountSide(row: RowValidation): 'sell' | 'buy' | null {
  return checkCode(row, 'amount_side', AMOUNT_SIDES);
}

export function checkChannel(row: RowValidation): (typeof PAYMENT_CHANNELS)[number] | null {
  return row.text('payment_channel') === '' ? null : checkCode(row, 'payment_channel', PAYMENT_CHANNELS);
}

function asksForDescription(purpose: string | undefined): boolean {
  return purpose !== undefined && PURPOSES_TO_DESCRIBE.includes(purpose);
}

const PURPOSE_CODES = Object.keys(PURPOSES);

/** Contract: payments 2.6. A deprecated code is accepted with a warning. */
export function checkPurpose(row: RowValidation): string | null {
  const purpose = checkCode(row, 'purpose_of_transfer', PURPOSE_CODES);
  if (purpose === null) return null;
  if (asksForDescription(purpose)) {
    row.require('purpose_description', `the purpose code ${purpose} needs a description`);
  }
  if (DEPRECATED_PURPOSES.includes(purpose)) {
    row.addWarning('purpose_of_transfer', {
      code: 'purpose_deprecated',
      problem: 'the purpose code is deprecated by the provider',
      fix: 'choose a more specific code',
    });
  }
  return purpose;
}

function asksForFundingAccount(method: string | undefined): boolean {
  return method === 'BANK_TRANSFER';
}

export interface Funding {
  source: (typeof FUNDING_SOURCES)[number];
  method: (typeof FUNDING_METHODS)[number];
}

/** Contract: payments 2.6. The provider requires the method even when a payment is funded from a balance. */
export function checkFunding(row: RowValidation): Funding | null {
  const source = checkCode(row, 'funding_source', FUNDING_SOURCES);
  const method = checkCode(row, 'funding_method', FUNDING_METHODS);
  const account = row.text('funding_bank_account_number');
  if (method !== null && asksForFundingAccount(method) && account === '') {
    row.require('funding_bank_account_number', 'a BANK_TRANSFER needs it (PAYNOW does not)');
  } else if (account !== '' && !row.hasError('funding_bank_account_number') && !/^\d+$/.test(account)) {
    row.addError('funding_bank_account_number', {
      code: 'digits_only',
      problem: 'funding_bank_account_number has characters other than digits',
      fix: 'write it without blanks and dashes, in a column formatted as text',
    });
  }
  return source === null || method === null ? null : { source, method };
}

/** Of the beneficiary and the bank. Contract: payments 2.6. */
function asksForFundingCountry(countries: readonly (string | undefined)[]): boolean {
  return countries.includes('ID');
}

export function checkFundingCountry(row: RowValidation, countries: readonly (string | undefined)[]): void {
  if (row.text('funding_country') !== '') checkCountry(row, 'funding_country');
  else if (asksForFundingCountry(countries)) {
    row.require('funding_country', 'a payment to Indonesia needs it');
  }
}

export function checkPayOn(row: RowValidation, today: string): void {
  const payOn = row.text('pay_on');
  if (payOn === '' || row.hasError('pay_on')) return;
  if (!isCalendarDate(payOn)) {
    row.addError('pay_on', {
      code: 'date_form',
      problem: 'pay_on is not a calendar date written YYYY-MM-DD',
      fix: 'write it like 2026-03-31, in a column formatted as text',
    });
  } else if (payOn < today) {
    row.addError('pay_on', {
      code: 'date_past',
      problem: 'pay_on is in the past',
      fix: 'give today or a later day, or leave it empty to pay as soon as the run is approved',
    });
  }
}

/** Columns that a row needs for what it says in others, as the checks above ask for them. */
export function columnsNeededWith(cells: Cells): PaymentColumn[] {
  return [
    ...(asksForDescription(cells.purpose_of_transfer) ? (['purpose_description'] as const) : []),
    ...(asksForFundingAccount(cells.funding_method) ? (['funding_bank_account_number'] as const) : []),
    ...(asksForFundingCountry([cells.beneficiary_country, cells.bank_country]) ? (['funding_country'] as const) : []),
  ];
}

/** Ids issued by the provider are opaque, but never contain blanks or punctuation. */
export function checkProviderId(row: RowValidation, column: 'beneficiary_id' | 'sender_user_id'): void {
  const id = row.text(column);
  if (id === '' || row.hasError(column) || /^[A-Za-z0-9_-]{1,64}$/.test(id)) return;
  row.addError(column, {
    code: 'id_form',
    problem: `${column} does not look like an id of the provider`,
    fix: 'copy it again from the provider',
  });
}
