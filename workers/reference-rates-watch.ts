import { referenceRatesIn } from '../config/treasury/reference-rates-file.ts';
import type { Database } from '../store/database/database.ts';
import { keepReferenceRates } from '../store/rates/reference-rates.ts';

const READ_EVERY_MS = 60_000;

/**
 * Keeps the rates of the configured file in the record, where the limits of the policy find them. `warn` is called once when that begins
 * to fail, and when rates that are in doubt begin to count as missing.
 */
export function startReferenceRatesWatch(options: {
  database: Database;
  path: string;
  warn: (message: string) => void;
  everyMs?: number;
}): { stop(): Promise<void> } {
  const { database, path, warn, everyMs = READ_EVERY_MS } = options;
  const read = referenceRatesIn(path);
  let warned = '';
  const look = async (): Promise<void> => {
    const problem = await problemOf(database, read);
    if (problem !== '' && problem !== warned) warn(problem);
    warned = problem;
  };
  let current = look();
  const timer = setInterval(() => {
    current = current.then(look);
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}

async function problemOf(database: Database, read: ReturnType<typeof referenceRatesIn>): Promise<string> {
  try {
    const rates = await read();
    const doubted = rates === null ? [] : await keepReferenceRates(database, rates);
    if (doubted.length === 0) return '';
    return `the reference rates of ${doubted.join(', ')} are more than a fifth from those of the last days: limits of the policy take them as missing`;
  } catch (error) {
    return `the reference rates cannot be kept: ${error instanceof Error ? error.message : String(error)}`;
  }
}
