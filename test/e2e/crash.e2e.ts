import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunSummary } from '../../client/sdk/index.ts';
import { csvOf, someRows } from '../helpers/payment-file.ts';
import {
  type CrashableService,
  type StackUnderTest,
  startTestStack,
  submitAndApprove,
  untilRunIs,
} from '../helpers/stack-under-test.ts';

const ROWS = 24;

let payrun: StackUnderTest;
let files = 0;

beforeAll(async () => {
  payrun = await startTestStack();
});
afterAll(() => payrun.stop());

/** A file that no other test of this suite has the like of. */
function freshFile(): Buffer {
  files += 1;
  return csvOf(
    someRows(ROWS).map((row, index) => ({
      ...row,
      row_ref: `F${files}-${index}`,
      amount: `${1000 * files + index}.00`,
    })),
  );
}

const count = (run: RunSummary, ...states: (keyof RunSummary['rows'])[]): number =>
  states.reduce((sum, state) => sum + (run.rows[state] ?? 0), 0);

async function crashInTheMiddle(services: CrashableService[], moment: (run: RunSummary) => boolean): Promise<void> {
  const before = await payrun.ledger();
  const runId = await submitAndApprove(payrun, freshFile());
  await untilRunIs(payrun.maker, runId, moment);
  for (const service of services) payrun.crash(service);
  const run = await untilRunIs(payrun.maker, runId, ({ finishedAt }) => finishedAt !== null);
  const ledger = await payrun.ledger();
  expect(run.rows).toEqual({ paid: ROWS });
  expect(ledger.createdMoreThanOnce).toEqual([]);
  expect(ledger.fundedMoreThanOnce).toEqual([]);
  expect(ledger.invariantHolds).toBe(true);
  expect(ledger.rejectedByLimit).toBe(0);
  const completed = (payments: Record<string, number>): number => payments['completed'] ?? 0;
  expect(completed(ledger.payments) - completed(before.payments)).toBe(ROWS);
}

describe('a worker that is killed', () => {
  test('while the first payments are being created costs no payment and doubles none', async () => {
    await crashInTheMiddle(['worker'], (run) => count(run, 'quoted', 'created') > 0);
    expect(payrun.said.join('\n')).toMatch(/the worker stopped unexpectedly \(signal SIGKILL\)/);
  });

  test('with half of the payments funded costs no payment and doubles none', async () => {
    await crashInTheMiddle(['worker'], (run) => count(run, 'processing', 'paid') >= ROWS / 2);
  });

  test('while the last payments wait to be confirmed costs no payment and doubles none', async () => {
    await crashInTheMiddle(['worker'], (run) => count(run, 'ready', 'quoted', 'created') === 0);
  });
});

describe('services that crash in the middle of a run', () => {
  test('Postgres is restarted with its data, and the run ends with the same totals', async () => {
    await crashInTheMiddle(['postgres'], (run) => count(run, 'processing', 'paid') >= ROWS / 3);
    expect(payrun.said.join('\n')).toMatch(/Postgres stopped unexpectedly \(signal SIGKILL\); restarting it/);
  });

  test('Temporal is restarted with its data, and the run ends with the same totals', async () => {
    await crashInTheMiddle(['temporal'], (run) => count(run, 'processing', 'paid') >= ROWS / 3);
    expect(payrun.said.join('\n')).toMatch(/Temporal stopped unexpectedly \(signal SIGKILL\); restarting it/);
  });

  test('worker, server, Postgres and Temporal at once: the run still ends with the same totals', async () => {
    await crashInTheMiddle(
      ['worker', 'server', 'postgres', 'temporal'],
      (run) => count(run, 'processing', 'paid') >= ROWS / 3,
    );
  });
});
