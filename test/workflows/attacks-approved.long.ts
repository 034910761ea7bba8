import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentIdsOf, providerPaymentsOf } from '../helpers/attacked-run.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, newRows, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

test('an approved run is created with its own files, even if somebody swaps the provider’s ids of them', async () => {
  const names = ['first.pdf', 'second.pdf'];
  const rows = newRows(2).map((row, index) => ({ ...row, supporting_files: names[index] ?? '' }));
  await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'rate_limited', times: 50 });
  const files = names.map((name) => ({ name, bytes: Buffer.from(`%PDF-1.4 ${name}`) }));
  const runId = await submitRows(payrun, rows, { files });
  await approve(payrun, runId);
  await until(async () => (await payrun.application.findRun(runId))?.rows.quoted === 2);
  const uploads = `select file_id from file_uploads join payments using (payment_id) where run_id = $1 order by row_number`;
  const { rows: before } = await payrun.database.query<{ file_id: string }>(uploads, [runId]);
  const swapped = `update file_uploads mine set file_id = other.file_id, mac = other.mac from file_uploads other
    where mine.payment_id <> other.payment_id and mine.payment_id = any($1) and other.payment_id = any($1)`;
  await payrun.testDatabase.asWorker.query(swapped, [await paymentIdsOf(payrun, runId)]);
  await clearFaults(payrun.sandbox);
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 });
  const sent = (await providerPaymentsOf(payrun, runId)).map((payment) => payment?.files);
  // Neither was created with the other's file: a file without a valid MAC is uploaded again.
  expect(sent[0]).not.toContain(before[1]?.file_id);
  expect(sent[1]).not.toContain(before[0]?.file_id);
  expect(sent.flat()).toHaveLength(2);
  await expectPaidOnce(payrun, runId);
});
