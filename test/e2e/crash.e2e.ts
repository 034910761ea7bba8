import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunSummary } from '../../client/sdk/index.ts';
import { csvOf, someRows } from '../../fixtures/payment-rows.ts';
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

/** A payment file that resembles no other in this suite. */
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

test('webhooks of the sandbox carry the header that the server requires, and others are refused', async () => {
  const runId = await submitAndApprove(payrun, freshFile());
  await untilRunIs(payrun.maker, runId, ({ finishedAt }) => finishedAt !== null);
  const { url, deliveries } = await payrun.webhooks();
  expect(deliveries.map(({ outcome }) => outcome)).toContain('delivered');
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
});

describe('services that crash in the middle of a run', () => {
  test('are all restarted by the supervisor with their data, and every row is paid once', async () => {
    await crashInTheMiddle(
      ['worker', 'server', 'postgres', 'temporal'],
      (run) => count(run, 'processing', 'paid') >= ROWS / 3,
    );
    const messages = payrun.messages.join('\n');
    for (const service of ['the worker', 'the server', 'Postgres', 'Temporal']) {
      expect(messages).toMatch(new RegExp(`${service} stopped unexpectedly \\(signal SIGKILL\\); restarting it`));
    }
  });
});
