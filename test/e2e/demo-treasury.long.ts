import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../local/demo/demo-script.ts';
import { isAlive, servicePids, startDemo, untilShown } from './demo-process.ts';

describe('payrun demo --treasury', () => {
  test('ends as expected: a day is closed, three schedules convert once each, and a run is paid with it', async () => {
    const demo = startDemo('--treasury');
    await untilShown(demo, 'money comes in');
    const pids = servicePids(demo);
    const { code, stdout } = await demo.ended;
    expect(code, demo.output()).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const played = JSON.parse(stdout) as { balances: Record<string, string>; ledger: Ledger };
    expect(played).toMatchObject({ occurrences: ['done', 'done', 'done'], run: 'completed', day: 'closed' });
    expect(Number(played.balances['SGD'])).toBe(5_000);
    const { ledger } = played;
    expect(ledger).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
    expect(ledger.requests.byOperation).toMatchObject({ 'conversion-create': 3, 'conversion-fund': 3 });
    expect(pids.length).toBeGreaterThanOrEqual(5);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
