import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewingDependencies } from '../../application/application-dependencies.ts';
import { proposal } from '../../application/runs/result-files.ts';
import type { RowMark } from '../../domain/runs/run-finding.ts';
import { keepRatesOfRun } from '../../store/approvals/run-approval.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun, beneficiaryAt, putInto } from '../store/a-stored-run.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const HEADER =
  'line,row_ref,status,beneficiary,account_holder,account,bank_code,bank_country,pay_on,weekday,sell_currency,sell_amount,' +
  'expected_fee,buy_currency,buy_amount,payment_reference,delivered_by,delivered_name,name_cut,delivered_reference,' +
  'reference_cut,stands_out,remark';

/** Rows of several corridors: one that is cut, one that is a formula, one without rules or price. */
const ROWS = [
  {
    ...beneficiaryAt('12345678', {
      bankAccountHolderName: 'Northwind Traders Wholesale and Retail Limited',
      sortCode: '200000',
    }),
    ...{ amount: '100.00', amountSide: 'sell', sellCurrency: 'USD', buyCurrency: 'GBP' },
    ...{ paymentReference: 'Invoice 4711 of 3 May 2026', payOn: '2027-01-04' },
  },
  {
    beneficiary: {
      kind: 'details',
      details: {
        ...{ entityType: 'company', country: 'DE', companyName: '=Müller & Söhne' },
        bankAccount: {
          ...{ country: 'DE', currency: 'EUR', bankName: 'B', bankAccountHolderName: '=Müller & Söhne' },
          iban: 'DE89370400440532013000',
        },
      },
    },
    ...{ amount: '50.00', amountSide: 'buy', sellCurrency: 'USD', buyCurrency: 'EUR' },
    paymentReference: '=HYPERLINK("http://x";"@y")',
  },
  {
    ...beneficiaryAt('000123', { country: 'IN', currency: 'INR' }),
    ...{ amount: '9000.00', amountSide: 'buy', sellCurrency: 'USD', buyCurrency: 'INR', paymentReference: 'a, "b"' },
  },
] as const;

async function priceOf(buyCurrency: string, channel: string, rate: string): Promise<void> {
  await testDatabase.database.query(
    `insert into indicative_prices (account, sell_currency, buy_currency, channel, quoted_at, rate, fee_share, fee_per_payment)
     values ($1, 'USD', $2, $3, clock_timestamp(), $4, 0.0025, 1.5)`,
    [ACCOUNT, buyCurrency, channel, rate],
  );
}

async function fileOf(runId: string, marks: ReadonlyMap<number, RowMark[]>): Promise<string> {
  const reviews = { marksOf: () => Promise.resolve(new Map(marks)) };
  const dependencies = { database: testDatabase.asServer, dataKeys: TEST_DATA_KEYS, reviews };
  let text = '';
  for await (const piece of proposal(dependencies as unknown as ReviewingDependencies, runId)) text += piece;
  return text;
}

test('proposal.csv says of each row what it pays, costs and delivers, and nothing in it is a formula', async () => {
  await priceOf('GBP', '', '0.75');
  await priceOf('EUR', '', '0.8');
  const { runId, paymentIds } = await aStoredRun(testDatabase.database, ROWS.length, (n) => ROWS[n - 1] ?? {});
  await keepRatesOfRun(testDatabase.asWorker, runId);
  await putInto(testDatabase.database, paymentIds[2] ?? '', 'duplicate_suspect');
  const marks = new Map<number, RowMark[]>([[1, ['new_beneficiary', 'failed_before']]]);
  expect((await fileOf(runId, marks)).split('\n')).toEqual([
    HEADER,
    '2,row-1,ready,Paid Ltd,Northwind Traders Wholesale and Retail Limited,12345678,sort code 200000,GB,2027-01-04,monday,' +
      'USD,100.00,1.75,GBP,75.00,Invoice 4711 of 3 May 2026,Faster Payments,Northwind Traders Wholesale and Retail L,imited,' +
      'Invoice 4711 of 3 ,May 2026,new_beneficiary failed_before,',
    `3,row-2,ready,'=Müller & Söhne,'=Müller & Söhne,DE89370400440532013000,,DE,,,USD,62.50,1.66,EUR,50.00,` +
      `"'=HYPERLINK(""http://x"";""@y"")",SEPA,.Muller + Sohne,,".HYPERLINK('http://x','(at)y')",,,`,
    '4,row-3,duplicate_suspect,Paid Ltd,Paid Ltd,000123,,IN,,,USD,,,INR,9000.00,"a, ""b""",,,,,,,',
    '',
  ]);
});
