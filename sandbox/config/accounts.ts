import Big from 'big.js';
import { currencies } from '../market/currencies.ts';

/** One caller of the sandbox: its credentials, and the settings that it does not share with the other callers. */
export interface SandboxAccount {
  readonly apiKey: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Initial balances, decimal strings by currency; absent means the sandbox's `balances`. */
  readonly balances?: Readonly<Record<string, string>> | undefined;
  readonly webhookUrl?: string | null | undefined;
  readonly webhookHeaders?: Readonly<Record<string, string>> | undefined;
  readonly limitPerSecond?: number | undefined;
  readonly limitPerDay?: number | undefined;
}

/** The callers, and the settings of those that have none of their own. */
export interface AccountOptions {
  readonly accounts: readonly SandboxAccount[];
  /** Requests in any window of a second, per API key; 0 lifts the limit. */
  readonly limitPerSecond: number;
  /** Requests in a UTC day, per API key; 0 lifts the limit. */
  readonly limitPerDay: number;
  readonly balances: Readonly<Record<string, string>>;
  readonly webhookUrl: string | null;
  readonly webhookHeaders: Readonly<Record<string, string>>;
}

export const defaultAccount: SandboxAccount = {
  apiKey: 'sandbox-api-key',
  accessKeyId: 'sandbox-access-key-id',
  secretAccessKey: 'sandbox-secret-access-key',
};

export const defaultAccountOptions: AccountOptions = {
  accounts: [defaultAccount],
  limitPerSecond: 5,
  limitPerDay: 432_000,
  balances: {
    USD: '5000000.00',
    EUR: '5000000.00',
    GBP: '5000000.00',
    SGD: '5000000.00',
    AUD: '5000000.00',
    CAD: '5000000.00',
    CHF: '5000000.00',
    HKD: '5000000.00',
    NZD: '5000000.00',
    JPY: '500000000',
    IDR: '50000000000.00',
  },
  webhookUrl: null,
  webhookHeaders: {},
};

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
