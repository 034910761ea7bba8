import { describe, expect, it } from 'vitest';
import { aBookDay, aBreak, BREAK } from '../server/book-records.ts';
import { aCommandLine } from './cli-harness.ts';

describe('reconcile', () => {
  it('begins it, waits, and shows the books of the days', async () => {
    const { application, run } = await aCommandLine();
    application.bookDays = [aBookDay()];
    const { code, stdout } = await run(['reconcile', '--account', 'default', '--from', '2026-01-01']);
    expect(stdout).toMatch(/2026-01-04 +default +EUR +1,000 +1,250.5 +4 +yes +matched/);
    expect(code).toBe(0);
    expect(application.calls).toMatchObject([
      { method: 'askForReconciliation', asked: { account: 'default', from: '2026-01-01', to: null } },
    ]);
  });

  it('exits with 3 while there are breaks', async () => {
    const { application, run } = await aCommandLine();
    application.bookDays = [aBookDay({ openBreaks: { wrong_amount: 2 } })];
    const { code, stdout, stderr } = await run(['reconcile', '--account', 'default']);
    expect([code, stdout.includes('2 wrong amount')]).toEqual([3, true]);
    expect(stderr).toContain('payrun reconcile breaks');
  });

  it('signs what it has shown, and says which days closed', async () => {
    const { application, run } = await aCommandLine();
    application.bookDays = [aBookDay({ day: '2026-01-03', state: 'closed' }), aBookDay()];
    const { code, stderr } = await run(['reconcile', '--account', 'default', '--close'], { role: 'checker' });
    expect(stderr).toContain(`Closed 2026-01-04: ${'a'.repeat(64)}`);
    expect(code).toBe(0);
    expect(application.calls.filter(({ method }) => method === 'signBookDay')).toMatchObject([
      { asked: { account: 'default', day: '2026-01-04', contentHash: 'a'.repeat(64) } },
    ]);
  });

  it('lists breaks, and takes the beginning of an id', async () => {
    const { application, run } = await aCommandLine();
    application.breaks = [aBreak()];
    expect((await run(['reconcile', 'breaks'])).stdout).toMatch(
      /018f2a00 +2026-01-04 +default +unexplained entry +EUR +-30 +2 h +open/,
    );
    await run(['reconcile', 'assign', '018f2a00', 'mia']);
    const explained = await run(['reconcile', 'explain', '018f2a00', '--reason', 'a bank charge']);
    expect(explained.stdout).toContain('Explanation: a bank charge');
    const closed = await run(['reconcile', 'close-break', BREAK], { role: 'checker' });
    expect(closed.stdout).toContain('closed by');
    expect(application.breaks).toMatchObject([
      { state: 'closed', owner: { name: 'mia' }, explanation: 'a bank charge' },
    ]);
  });

  it('closes no break that nobody has explained', async () => {
    const { application, run } = await aCommandLine();
    application.breaks = [aBreak()];
    const { code, stderr } = await run(['reconcile', 'close-break', BREAK], { role: 'checker' });
    expect([code, stderr.includes('not explained yet')]).toEqual([2, true]);
    expect((await run(['reconcile', 'explain', '99', '--reason', 'x'])).code).toBe(2);
  });

  it('writes reports, and statements of one currency', async () => {
    const { application, run } = await aCommandLine();
    const statement = ['reconcile', 'report', '2026-01-04', '--account', 'default', '--format', 'camt053'];
    expect((await run(statement)).code).toBe(2);
    expect((await run([...statement, '--currency', 'eur'])).stdout).toBe('statement.xml of 2026-01-04\n');
    expect((await run(['reconcile', 'report', '2026-01-04', '--account', 'default'])).stdout).toContain('report.html');
    expect(application.calls).toMatchObject([
      { method: 'reconciliationReport', asked: { file: 'statement.xml', query: { currency: 'EUR', to: null } } },
      { method: 'reconciliationReport', asked: { file: 'report.html' } },
    ]);
  });

  it('signs an opening balance', async () => {
    const { application, run } = await aCommandLine();
    const { code } = await run(['reconcile', 'sign-opening', 'eur', '1234.50', '--account', 'default'], {
      role: 'checker',
    });
    expect(code).toBe(0);
    expect(application.calls).toMatchObject([
      { method: 'signOpening', asked: { account: 'default', currency: 'EUR', amount: '1234.50' } },
    ]);
  });
});
