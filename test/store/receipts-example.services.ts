import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { storeFundings } from '../../store/accounts/fundings.ts';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import { listReceipts, type ReceiptView } from '../../store/accounts/receipt-views.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listRefundsAs, explainReceiptsAs } from './refunds-under-test.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const receiptsOf = async (): Promise<ReceiptView[]> => {
  const filter = { accounts: [ACCOUNT], currency: 'EUR', all: true, limit: 100 };
  return (await listReceipts(testDatabase.asServer, filter)).reverse();
};

/** Each step of the document, by its words. */
function stepsIn(world: LedgerWorld): Readonly<Record<string, () => Promise<void>>> {
  const shows = async (status: string): Promise<void> => {
    const readAt = await beginReading(testDatabase.asWorker);
    const funding = { id: 'f-1', balanceId: null, currency: 'EUR', amount: '500', reference: null, status };
    await storeFundings(testDatabase.asWorker, ACCOUNT, [funding], { readAt, pass: null });
  };
  const arrive = (amount: number) => async (): Promise<void> => {
    world.change(amount);
    await world.readHistory();
    await listRefundsAs(testDatabase);
  };
  return {
    'a notification reports a deposit of 500': () =>
      reportDeposit(testDatabase.asServer, ACCOUNT, {
        ...{ transactionId: '71', amount: '500', status: 'completed', virtualAccountId: null, accountNumber: null },
      }),
    'a funding of 500 is pending': () => shows('pending'),
    'the history shows a receipt of 500': arrive(500),
    'the funding is completed': () => shows('completed'),
    'the history shows a second receipt of 500': arrive(500),
    'the history shows a receipt of 75': arrive(75),
    'a treasurer says that it is interest': async () => {
      const { tokenHash } = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
      const entryId = (await receiptsOf()).at(-1)?.entryId ?? '';
      const receipt = { account: ACCOUNT, currency: 'EUR', entryId, refundId: null, reason: 'interest' };
      await assignReceiptAs(testDatabase.asServer, tokenHash, receipt);
    },
  };
}

test('the worked example of the document is what explains receipts', async () => {
  const world = new LedgerWorld(testDatabase, 'EUR');
  const steps = stepsIn(world);
  const rows = tableUnder('treasury.md', 'What came in, step by step');
  expect(rows.map(({ step }) => step)).toEqual(Object.keys(steps));
  for (const { step = '', ...reported } of rows) {
    await steps[step]?.();
    await explainReceiptsAs(testDatabase);
    const explained = (await receiptsOf()).map(explanationOf);
    expect([step, ...Object.values(reported).filter((cell) => cell !== '')]).toEqual([step, ...explained]);
  }
});

function explanationOf({ explainedBy, fundingId, depositTransactionId }: ReceiptView): string {
  if (fundingId !== null && depositTransactionId !== null) return 'deposit and funding';
  return explainedBy ?? 'nothing';
}
