import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { beLive } from '../helpers/going-live.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';

/** Two accounts of the provider in one installation. */

const FIRST = { apiKey: 'first-key', accessKeyId: 'first-id', secretAccessKey: 'first-secret' };
const SECOND = { apiKey: 'second-key', accessKeyId: 'second-id', secretAccessKey: 'second-secret' };

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({
    credentials: FIRST,
    sandbox: { accounts: [FIRST, { ...SECOND, webhookUrl: null }] },
  });
  await beLive(payrun.database);
});
afterAll(() => payrun.stop());

async function submitTo(account: string): Promise<string> {
  const { application, maker } = payrun;
  const outcome = await application.submit(maker, {
    ...{ account, fileName: 'run.csv', file: Buffer.from(csvOf(newRows(4))) },
    ...{ profile: null, files: [], onInvalid: 'reject', idempotencyKey: null },
  });
  if (outcome.kind !== 'accepted') throw new Error(`the file was refused: ${JSON.stringify(outcome)}`);
  await untilRun(application, outcome.runId, 'in_approval');
  return outcome.runId;
}

test('an account that is added while payrun runs pays its runs with its own credentials, beside the other one', async () => {
  const first = await beginRun(payrun, newRows(4));
  await expect(submitTo('second')).rejects.toThrow('there is no provider account of that name');
  const [added] = [{ name: 'second', apiUrl: payrun.sandbox.url, credentials: SECOND }];
  await payrun.addAccount({ ...added, requestsPerSecond: 0, requestsPerDay: 0, requestsReservedPerDay: 0 });
  const second = await submitTo('second');
  await approve(payrun, second);
  for (const runId of [first, second]) {
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 4 } });
  }
  for (const apiKey of [FIRST.apiKey, SECOND.apiKey]) {
    expect(payrun.sandbox.ledger(apiKey)).toMatchObject({
      payments: { completed: 4 },
      createdMoreThanOnce: [],
      fundedMoreThanOnce: [],
      credentialLeaks: 0,
    });
  }
  const { rows } = await payrun.database.query(
    'select account, count(*)::int as n from payments group by 1 order by 1',
  );
  expect(rows).toEqual([
    { account: 'default', n: 4 },
    { account: 'second', n: 4 },
  ]);
});
