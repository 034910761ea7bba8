import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, linesOf, newRows } from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  // The provider runs on this machine, and wants files at another host, unencrypted.
  payrun = await startPayrun({ sandbox: { publicUrl: 'http://files.invalid' } });
});
afterAll(() => payrun.stop());

test('a row whose file must not be sent to the requested host is held, with the reason', async () => {
  const rows = newRows(1, { supporting_files: 'invoice.pdf' });
  const files = [{ name: 'invoice.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.4') }];
  const runId = await beginRun(payrun, rows, { files });
  const isHeld = async (): Promise<boolean> => (await payrun.application.findRun(runId))?.rows.held === 1;
  await until(isHeld);
  const [, line] = await linesOf(payrun.application.results(runId));
  expect(line).toContain('upload_address_refused');
  expect(line).toContain("the provider's upload address is on files.invalid, unencrypted");
  // Neither quoted nor created: the only quote says what its way to pay would cost.
  const { rows: sent } = await payrun.database.query('select operation from provider_requests');
  expect(sent).toEqual([]);
  expect(payrun.sandbox.ledger().requests.byOperation['simple-payment-quote']).toBe(1);
});
