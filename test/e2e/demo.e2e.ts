import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../local/demo/demo-script.ts';
import { isAlive, servicePids, startDemo, untilShown } from './demo-process.ts';

/** Interrupted: demo.long.ts; `payrun up` interrupted: readme.e2e.ts. */
describe('payrun demo', () => {
  test('ends as expected, within the limit, and every row is created and funded once', async () => {
    const demo = startDemo();
    await untilShown(demo, 'running:');
    const pids = servicePids(demo);
    const { code, stdout } = await demo.ended;
    expect(code, demo.output()).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(1);
    const { rows, state, ledger } = JSON.parse(stdout) as {
      rows: Record<string, number>;
      state: string;
      ledger: Ledger;
    };
    expect(rows).toEqual({ paid: 44, rejected: 2, failed: 2 });
    expect(state).toBe('partially_completed');
    expect(ledger).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
    expect(ledger).toMatchObject({ rejectedByLimit: 0, credentialLeaks: 0 });
    expect(ledger.mostInAnySecond).toBeLessThanOrEqual(5);
    expect(ledger.requests.byOperation).toMatchObject({ 'simple-payment-create': 48, 'simple-payment-fund': 48 });
    const apart = [
      'beneficiary-create',
      'simple-payment-get-upload-url',
      'simple-payment-upload-file',
      'auth-authenticate',
      // Of the account, however many payments there are: its reads are counted below.
      'balance-history',
      'simple-payment-quote',
    ];
    const counted = Object.entries(ledger.requests.byOperation).filter(([operation]) => !apart.includes(operation));
    expect(counted.reduce((sum, [, requests]) => sum + requests, 0) / 48).toBeLessThanOrEqual(2.3);
    // One for each payment, and at most twenty that say what the run is expected to cost.
    expect(ledger.requests.byOperation['simple-payment-quote']).toBeLessThanOrEqual(48 + 20);
    expect(ledger.requests.byOperation['balance-history']).toBeLessThanOrEqual(6);
    expect(readFileSync(join(demo.folder, 'results.csv'), 'utf8').trim().split('\n')).toHaveLength(49);
    expect(readFileSync(join(demo.folder, 'exceptions.csv'), 'utf8').trim().split('\n')).toHaveLength(5);
    expect(pids.length).toBeGreaterThanOrEqual(5);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
