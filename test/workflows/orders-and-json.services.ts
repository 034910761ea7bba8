import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPayrunClient, FileRefusedError, type PayrunClient } from '../../client/sdk/index.ts';
import { withColumns } from '../../domain/import-profiles/profile.ts';
import { anOrder, aTransaction } from '../application/sheets/an-order.ts';
import { beLive } from '../helpers/going-live.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, newRows } from '../helpers/run-under-test.ts';
import { instructionsOf } from '../helpers/test-payees.ts';

/** Payments that do not come as a sheet. Through HTTP. */

let payrun: PayrunUnderTest;
let maker: PayrunClient;

beforeAll(async () => {
  payrun = await startPayrun();
  await beLive(payrun.database);
  maker = createPayrunClient({ url: payrun.serverUrl, token: payrun.maker.token });
});
afterAll(() => payrun.stop());

async function submitted(run: Parameters<PayrunClient['submitRun']>[0]): Promise<string> {
  const { runId } = await maker.submitRun(run);
  await untilRun(payrun.application, runId, 'in_approval');
  return runId;
}

const paidBy = async (runId: string) =>
  (await instructionsOf(payrun.database, 'run_id = $1', [runId])).map(({ rowRef, amount }) => [rowRef, amount]);

test('rows as JSON become a run', async () => {
  const rows = newRows(2);
  const runId = await submitted({ fileName: 'rows.json', file: Buffer.from(JSON.stringify(rows)) });
  expect(await paidBy(runId)).toEqual(rows.map((row) => [row.row_ref, row.amount]));
});

test('each block of a payment order becomes a run, and the next order needs no profile', async () => {
  /** No two of them are nearly the same, or they would be suspected duplicates. */
  const amountOf = (block: string, number: string) => `${block.charCodeAt(0)}${number}0.50`;
  const transactions = (block: string) =>
    ['1', '2'].map((number) =>
      aTransaction({
        ref: `${block}-${number}`,
        amount: amountOf(block, number),
        after: `<RmtInf><Ustrd>Invoice ${block}-${number}</Ustrd></RmtInf>`,
      }),
    );
  const order = (...blocks: string[]) => ({
    fileName: 'order.xml',
    file: anOrder({ blocks: blocks.map((id) => ({ id, transactions: transactions(id) })) }),
  });
  const file = order('A', 'B');
  await expect(maker.proposeReading(file)).rejects.toMatchObject({ sheetNames: ['A', 'B'] });
  for (const sheetName of ['A', 'B']) {
    const { profile: proposed, missingColumns, from } = await maker.proposeReading({ ...file, reading: { sheetName } });
    // What was decided for one block is proposed for the next one.
    const expected = sheetName === 'A' ? ['ready', ['funding_source', 'funding_method']] : ['known', []];
    expect([from, missingColumns]).toEqual(expected);
    const profile = withColumns(proposed, {
      purpose_of_transfer: { from: ['purpose_of_transfer'], constant: 'SUPP' },
      beneficiary_entity_type: { from: ['beneficiary_entity_type'], constant: 'company' },
      funding_source: { constant: 'COMPANY_BANK_ACCOUNT' },
      funding_method: { constant: 'PAYNOW' },
    });
    await expect(maker.submitRun(file)).rejects.toBeInstanceOf(FileRefusedError);
    const runId = await submitted({ ...file, profile });
    expect(await paidBy(runId)).toEqual([
      [`${sheetName}-1`, amountOf(sheetName, '1')],
      [`${sheetName}-2`, amountOf(sheetName, '2')],
    ]);
    await approve(payrun, runId);
  }
  expect(await paidBy(await submitted(order('C')))).toEqual([
    ['C-1', amountOf('C', '1')],
    ['C-2', amountOf('C', '2')],
  ]);
});
