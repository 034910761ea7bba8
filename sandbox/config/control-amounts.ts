import Big from 'big.js';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { Balance } from '../account/ledger.ts';
import { currencyNamed } from '../account/quotes.ts';
import { exactNumber } from '../core/json.ts';
import { invalidField, notFound } from '../core/refusal.ts';

/** An amount that the control door takes: a number, or the same as text. */
export const decimal = z.union([
  exactNumber,
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal, e.g. "2500.00"')
    .transform((text) => new Big(text)),
]);

/** @throws Refusal `validation_failed` for a currency that is not dealt in */
export function balanceIn(account: Account, currency: string): Balance {
  const balance = account.ledger.in(currencyNamed('currency', currency).code);
  if (!balance) throw notFound('balance');
  return balance;
}

/** @throws Refusal `validation_failed` for an amount of money that cannot come in */
export function checkIncoming(amount: Big, { currency }: Balance): void {
  if (amount.lte(0)) throw invalidField('amount', 'must be more than zero');
  if (!amount.eq(amount.round(currency.decimalPlaces))) {
    throw invalidField('amount', `${currency.code} has ${currency.decimalPlaces} decimal places`);
  }
}
