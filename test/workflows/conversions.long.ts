import { describe, test } from 'vitest';
import {
  convertAtHardProvider,
  expectSettledAfterRestart,
  expectSettledWhatever,
} from '../helpers/hard-conversions.ts';

/** What conversions.services.ts does not try every time: faults of what only reads, and other moments of a restart. */

const hard = convertAtHardProvider();

describe('whatever becomes of a request', () => {
  test.each(['balance-history', 'balance-find', 'currency-rate', 'conversion-get'])(
    '%s, the order is settled, created once and funded once',
    (operation) => expectSettledWhatever(hard(), operation),
  );
});

describe('workers that are restarted', () => {
  test.each(['quoted', 'funded'] as const)(
    'convert the rest of what is %s: nothing is created or funded twice',
    (stage) => expectSettledAfterRestart(hard(), stage),
  );
});
