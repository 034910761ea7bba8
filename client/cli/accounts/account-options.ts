import { InvalidArgumentError } from 'commander';

/** Options that several commands of `payrun accounts` have. */

export interface Filter {
  account?: string;
  currency?: string;
  json?: boolean;
}

export const ACCOUNT = ['--account <name>', 'only this account of the provider'] as const;
export const CURRENCY = ['--currency <code>', 'only this currency'] as const;
export const JSON_OPTION = ['--json', 'one JSON document on stdout'] as const;

const MAX_LINES = 1_000;

export function filterOf({ account, currency }: Pick<Filter, 'account' | 'currency'>) {
  return { account: account ?? null, currency: currency?.toUpperCase() ?? null };
}

/** How many lines of a list that has no pages. */
export function lineCount(text: string): number {
  const count = entryCount(text);
  if (count > MAX_LINES) throw new InvalidArgumentError(`at most ${MAX_LINES}; use a filter`);
  return count;
}

export function entryCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('give a whole number above zero');
  return count;
}
