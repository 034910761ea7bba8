import Big from 'big.js';
import { currencies } from '../market/currencies.ts';

/** The problem of an initial balance, for a message; undefined when there is none. */
export function balanceProblem(code: string, amount: string): string | undefined {
  const currency = currencies.get(code);
  if (!currency) return `"${code}" is not a supported currency`;
  if (!/^\d{1,15}(\.\d+)?$/.test(amount)) return `"${amount}" is not an amount, e.g. 2500.00`;
  if (!new Big(amount).round(currency.decimalPlaces).eq(amount)) {
    return `${code} has ${currency.decimalPlaces} decimal places, "${amount}" has more`;
  }
  return undefined;
}
