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
} from './payment-codes.ts';
import type { ReferenceData } from './reference-data.ts';
import type { RowUnderCheck } from './row-validation.ts';

/** `row_ref` becomes part of a payment's identity and of addresses, so its form is narrow. */
export function checkRowRef(check: RowUnderCheck): string | null {
  const rowRef = check.needed('row_ref');
  if (rowRef === null || check.isRefused('row_ref')) return null;
  if (/^[A-Za-z0-9._\-/]{1,64}$/.test(rowRef)) return rowRef;
  check.refuse('row_ref', {
    code: 'row_ref_form',
    problem: 'row_ref has other characters than letters A to Z, digits, dot, _, - and /, or more than 64',
    fix: 'rename the row, for example INV-2026-0412',
  });
  return null;
}

export function checkCurrency(check: RowUnderCheck, column: PaymentColumn, reference: ReferenceData): string | null {
  const code = check.needed(column);
  if (code === null || check.isRefused(column)) return null;
  if (reference.currencies.has(code)) return code;
  const capitals = code.toUpperCase();
  check.refuse(column, {
    code: 'currency_unsupported',
    problem: `${column} is not a currency that the provider supports`,
    fix: reference.currencies.has(capitals)
      ? `write ${capitals}`
      : `use one of ${[...reference.currencies.keys()].sort().join(', ')}`,
  });
  return null;
}

/** A payment in one currency converts nothing, so no pair is asked for. */
export function checkPair(check: RowUnderCheck, sell: string, buy: string, reference: ReferenceData): void {
  if (sell === buy || reference.pairs.has(buy + sell)) return;
  check.refuse('buy_currency', {
    code: 'pair_unsupported',
    problem: `the provider does not sell ${sell} for ${buy}`,
    fix: 'pay from another currency',
  });
}

/** The amount at the decimals of the side that it fixes. Contract: payments 2.5. */
export function checkAmount(
  check: RowUnderCheck,
  fixedCurrency: string | null,
  reference: ReferenceData,
): string | null {
  const text = check.needed('amount');
  if (text === null || check.isRefused('amount')) return null;
  const fact = fixedCurrency === null ? undefined : reference.currencies.get(fixedCurrency);
  // Without a known currency the form is still checked, with more decimals than any currency has.
  const parsed = parseAmount(text, fact?.decimalPlaces ?? 4);
  if ('amount' in parsed) return parsed.amount;
  check.refuse('amount', parsed);
  return null;
}

export function checkAmountSide(check: RowUnderCheck): 'sell' | 'buy' | null {
  return checkCode(check, 'amount_side', AMOUNT_SIDES);
}

export function checkChannel(check: RowUnderCheck): (typeof PAYMENT_CHANNELS)[number] | null {
  return check.text('payment_channel') === '' ? null : checkCode(check, 'payment_channel', PAYMENT_CHANNELS);
}

const PURPOSE_CODES = Object.keys(PURPOSES);

/** Contract: payments 2.6. A deprecated code still pays, with a warning. */
export function checkPurpose(check: RowUnderCheck): string | null {
  const purpose = checkCode(check, 'purpose_of_transfer', PURPOSE_CODES);
  if (purpose === null) return null;
  if (PURPOSES_TO_DESCRIBE.includes(purpose)) {
    check.needed('purpose_description', `the purpose code ${purpose} needs a description`);
  }
  if (DEPRECATED_PURPOSES.includes(purpose)) {
    check.warn('purpose_of_transfer', {
      code: 'purpose_deprecated',
      problem: 'the purpose code is deprecated by the provider',
      fix: 'choose a code that says more',
    });
  }
  return purpose;
}

export interface Funding {
  source: (typeof FUNDING_SOURCES)[number];
  method: (typeof FUNDING_METHODS)[number];
}

/** Contract: payments 2.6. The method is asked for even when a payment is funded from a balance. */
export function checkFunding(check: RowUnderCheck): Funding | null {
  const source = checkCode(check, 'funding_source', FUNDING_SOURCES);
  const method = checkCode(check, 'funding_method', FUNDING_METHODS);
  const account = check.text('funding_bank_account_number');
  if (method === 'BANK_TRANSFER' && account === '') {
    check.needed('funding_bank_account_number', 'a BANK_TRANSFER needs it (PAYNOW does not)');
  } else if (account !== '' && !check.isRefused('funding_bank_account_number') && !/^\d+$/.test(account)) {
    check.refuse('funding_bank_account_number', {
      code: 'digits_only',
      problem: 'funding_bank_account_number has something else than digits',
      fix: 'write it without blanks and dashes, in a column formatted as text',
    });
  }
  return source === null || method === null ? null : { source, method };
}

/** Asked for when the money goes to Indonesia, by the beneficiary's or the bank's country. Contract: payments 2.6. */
export function checkFundingCountry(check: RowUnderCheck, countries: readonly (string | undefined)[]): void {
  if (check.text('funding_country') !== '') checkCountry(check, 'funding_country');
  else if (countries.includes('ID')) {
    check.needed('funding_country', 'a payment to Indonesia needs it');
  }
}

export function checkPayOn(check: RowUnderCheck, today: string): void {
  const payOn = check.text('pay_on');
  if (payOn === '' || check.isRefused('pay_on')) return;
  if (!isCalendarDate(payOn)) {
    check.refuse('pay_on', {
      code: 'date_form',
      problem: 'pay_on is not a day of the calendar written YYYY-MM-DD',
      fix: 'write it like 2026-03-31, in a column formatted as text',
    });
  } else if (payOn < today) {
    check.refuse('pay_on', {
      code: 'date_past',
      problem: 'pay_on is in the past',
      fix: 'give today or a later day, or leave it empty to pay as soon as the run is approved',
    });
  }
}

/** Ids that the provider gave out: opaque, but never with blanks or punctuation. */
export function checkProviderId(check: RowUnderCheck, column: 'beneficiary_id' | 'sender_user_id'): void {
  const id = check.text(column);
  if (id === '' || check.isRefused(column) || /^[A-Za-z0-9_-]{1,64}$/.test(id)) return;
  check.refuse(column, {
    code: 'id_form',
    problem: `${column} does not look like an id of the provider`,
    fix: 'copy it again from the provider',
  });
}
