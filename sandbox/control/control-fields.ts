import Big from 'big.js';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { Balance } from '../account/ledger.ts';
import { requireCurrency } from '../account/quotes.ts';
import { exactNumber } from '../core/json.ts';
import { invalidField, notFound } from '../core/refusal.ts';

export const dayMs = 86_400_000;

/** A whole number of a control call, both bounds inclusive. */
export const wholeNumber = (min: number, max: number): z.ZodType<number> =>
  exactNumber.transform((number) => number.toNumber()).pipe(z.number().int().min(min).max(max));

/** From 0 to 1, both inclusive. */
export const fraction = exactNumber.transform((number) => number.toNumber()).pipe(z.number().min(0).max(1));

/** An amount in the control API: a number, or a decimal string. */
export const decimal = z.union([
  exactNumber,
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal, e.g. "2500.00"')
    .transform((text) => new Big(text)),
]);

/** @throws Refusal `validation_failed` for an unsupported currency */
export function balanceIn(account: Account, currency: string): Balance {
  const balance = account.ledger.in(requireCurrency('currency', currency).code);
  if (!balance) throw notFound('balance');
  return balance;
}

/** @throws Refusal `validation_failed` unless the amount is positive and has the decimals of the currency */
export function checkIncomingAmount(amount: Big, { currency }: Balance): void {
  if (amount.lte(0)) throw invalidField('amount', 'must be more than zero');
  if (!amount.eq(amount.round(currency.decimalPlaces))) {
    throw invalidField('amount', `${currency.code} has ${currency.decimalPlaces} decimal places`);
  }
}
