import Big from 'big.js';
import { currencies } from '../market/currencies.ts';

/** What is wrong with an initial balance, as the end of a sentence; undefined when nothing is. */
export function balanceProblem(code: string, amount: string): string | undefined {
  const currency = currencies.get(code);
  if (!currency) return `"${code}" is no supported currency`;
  if (!/^\d{1,15}(\.\d+)?$/.test(amount)) return `"${amount}" is no amount, e.g. 2500.00`;
  if (!new Big(amount).round(currency.decimalPlaces).eq(amount)) {
    return `${code} has ${currency.decimalPlaces} decimal places, "${amount}" has more`;
  }
  return undefined;
}
