import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIdOfKey } from '../../application/runs/submission.ts';
import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { newRows, submitFile, submitRows } from '../helpers/run-under-test.ts';
import { instructionsOf } from '../helpers/test-payees.ts';

/** Where the content of a row does not fit the key of its run, or the key is there without its run. */

let payrun: PayrunUnderTest;
let checker: PayrunClient;

beforeAll(async () => {
  payrun = await startPayrun();
  checker = createPayrunClient({ url: payrun.serverUrl, token: payrun.checker.token });
});
afterAll(() => payrun.stop());

test('a search finds a row that cannot be read beside the others, and so does the list of its run', async () => {
  const reference = 'Of one that is damaged';
  const other = await submitRows(payrun, newRows(2, { payment_reference: reference }));
  const [first] = (await checker.listRows({ runId: other })).rows;
  await bypassTriggers(
    payrun.database,
    `update payments set encrypted = 'damaged' where run_id = $1 and row_number = 1`,
    [other],
  );
  const { hits } = await checker.search({ q: reference });
  expect(hits.map(({ line }) => line).sort()).toEqual([2, 3]);
  expect(hits.find(({ line }) => line === 2)?.title).toContain('cannot be read');
  expect(hits.find(({ line }) => line === 3)?.title).not.toContain('cannot be read');
  const { rows } = await checker.listRows({ runId: other });
  expect(rows).toMatchObject([
    {
      line: 2,
      sellAmount: first?.sellAmount,
      beneficiaryName: null,
      errorMessage: expect.stringContaining('cannot be read') as string,
    },
    { line: 3, errorMessage: null },
  ]);
});

test('a submission with a key creates its run also where a restored backup has the key of a run that it lost', async () => {
  const idempotencyKey = randomUUID();
  const runId = runIdOfKey(payrun.maker.userId, idempotencyKey);
  await payrun.database.query('insert into run_keys (run_id, wrapped, wrapped_by) values ($1, $2, $3)', [
    ...[runId, Buffer.from('of the run that was lost'), 'an earlier key'],
  ]);
  const outcome = await submitFile(payrun, csvOf(newRows(1)), { idempotencyKey });
  expect(outcome).toMatchObject({ kind: 'accepted', runId });
  expect(await instructionsOf(payrun.database, 'run_id = $1', [runId])).toHaveLength(1);
});
