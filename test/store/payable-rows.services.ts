import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { claimBeneficiary, saveBeneficiary } from '../../store/beneficiaries/beneficiaries.ts';
import { summarizeInFlight } from '../../store/payments/poll-plan.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { beneficiaryHashOf } from '../../domain/runs/row-identity.ts';
import { countRowsToBegin, noteBegun, listPayableRows } from '../../store/runs/payable-rows.ts';
import { countUnsentPayments } from '../../store/runs/open-payments.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, aStoredRun, putInto, type StoredRun } from './a-stored-run.ts';

const ANY_DAY = '2026-01-31';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function aRunIn(
  states: readonly PaymentState[],
  parts?: (n: number) => Partial<PaymentInstruction>,
): Promise<StoredRun> {
  const run = await anApprovedRun(testDatabase.database, states.length, parts);
  for (const [index, state] of states.entries()) {
    await putInto(testDatabase.database, run.paymentIds[index] ?? '', state);
  }
  return run;
}

/** A beneficiary with a unique account. */
function beneficiaryOf(companyName: string): Pick<PaymentInstruction, 'beneficiary'> {
  return {
    beneficiary: {
      kind: 'details',
      details: {
        entityType: 'company',
        country: 'GB',
        companyName,
        bankAccount: {
          country: 'GB',
          currency: 'GBP',
          bankName: 'Test Bank',
          bankAccountHolderName: companyName,
          accountNumber: randomUUID(),
        },
      },
    },
  };
}

describe('the concurrency limit of a run', () => {
  test('counts begun payments that are not funded and do not wait for money', async () => {
    const { database } = testDatabase;
    const states = ['ready', 'ready', 'quoted', 'created', 'awaiting_funds', 'processing', 'paid', 'held'] as const;
    // No other payment here has that currency, so none waits for it.
    const { runId, paymentIds } = await aRunIn(states, () => ({ sellCurrency: 'SGD' }));
    const unsent = async () => (await countUnsentPayments(database, runId)).unsent;
    expect(await unsent()).toBe(2);
    await noteBegun(database, paymentIds.slice(1));
    expect(await unsent()).toBe(3);
  });

  test('has only due rows: those of a later day are skipped', async () => {
    const days = ['2026-02-01', ANY_DAY, null];
    const { runId } = await aRunIn(['ready', 'ready', 'ready'], (n) => ({ payOn: days[n - 1] ?? null }));
    const page = { runId, afterRow: 0, dueBy: ANY_DAY, limit: 10 };
    expect((await listPayableRows(testDatabase.database, page)).map(({ rowNumber }) => rowNumber)).toEqual([2, 3]);
  });
});

describe('rows that were not begun', () => {
  const page = { afterRow: 0, dueBy: ANY_DAY, limit: 10 };
  const inEuro = () => ({ sellCurrency: 'EUR' });
  const setBalance = (amount: string) =>
    testDatabase.database.query(
      `insert into balance_snapshots (account, currency, amount, read_at) values ($1, 'EUR', $2, now())
       on conflict (account, currency) do update set amount = excluded.amount`,
      [ACCOUNT, amount],
    );

  test('wait while another payment of the account waits for money in their currency, and the balance is too small', async () => {
    const { database } = testDatabase;
    const other = await aRunIn(['awaiting_funds'], inEuro);
    const { runId, paymentIds } = await aRunIn(['ready', 'ready', 'ready', 'quoted', 'awaiting_funds'], (n) =>
      n === 1 ? {} : inEuro(),
    );
    const taken = async () => (await listPayableRows(database, { ...page, runId })).map(({ rowNumber }) => rowNumber);
    await noteBegun(database, paymentIds.slice(2, 3));
    expect(await taken()).toEqual([1, 3, 4, 5]);
    expect(await countRowsToBegin(database, runId, ANY_DAY)).toEqual({ rowsToBegin: 1, rowsWaiting: 1 });
    await setBalance('102.00');
    expect(await taken()).toEqual([1, 2, 3, 4, 5]);
    await setBalance('101.99');
    expect(await taken()).toEqual([1, 3, 4, 5]);
    await database.query(`insert into stops (scope, run_id) values ('run', $1), ('run', $2)`, [runId, other.runId]);
    expect(await taken()).toEqual([1, 2, 3, 4, 5]);
    await database.query('delete from stops');
    for (const paymentId of [...other.paymentIds, ...paymentIds.slice(4)]) await putInto(database, paymentId, 'paid');
    expect(await taken()).toEqual([1, 2, 3, 4]);
  });

  test('with an unknown cost wait only for any balance', async () => {
    const { database } = testDatabase;
    await aRunIn(['awaiting_funds'], inEuro);
    const { runId } = await aRunIn(['ready'], () => ({ sellCurrency: 'EUR', amountSide: 'buy', amount: '5000.00' }));
    const waiting = async () => (await countRowsToBegin(database, runId, ANY_DAY)).rowsWaiting;
    await setBalance('0.00');
    expect(await waiting()).toBe(1);
    await setBalance('0.01');
    expect(await waiting()).toBe(0);
  });

  test('are not started again as lost', async () => {
    const { runId, paymentIds } = await aRunIn(['ready', 'ready', 'awaiting_funds'], () => ({ sellCurrency: 'CHF' }));
    await noteBegun(testDatabase.database, [paymentIds[0] ?? '', paymentIds[2] ?? '']);
    const rows = await listPayableRows(testDatabase.database, { ...page, runId, only: 'begun' });
    expect(rows.map(({ rowNumber }) => rowNumber)).toEqual([1, 3]);
  });
});

describe('the beneficiaries of rows to be paid', () => {
  test('are reused if another row has created them, and only then', async () => {
    const { database } = testDatabase;
    const [known, unknown] = [beneficiaryOf('Known Ltd'), beneficiaryOf('Unknown Ltd')];
    const { runId, paymentIds } = await aRunIn(['ready', 'ready', 'ready'], (n) => [{}, known, unknown, {}][n] ?? {});
    const { hash } = await payeesIn(database);
    const asked = { account: ACCOUNT, fingerprint: beneficiaryHashOf(hash, known), paymentId: paymentIds[2] ?? '' };
    const claim = await claimBeneficiary(database, asked);
    if (claim.kind !== 'mine') throw new Error(`the beneficiary is ${claim.kind}`);
    const page = { runId, afterRow: 0, dueBy: ANY_DAY, limit: 10 };
    const isNew = async () => (await listPayableRows(database, page)).map(({ newBeneficiary }) => newBeneficiary);
    expect(await isNew()).toEqual([true, true, false]);
    await saveBeneficiary(
      database,
      { ...asked, claimedAt: claim.claimedAt },
      { beneficiaryId: 'made-known', mac: 'mac' },
    );
    expect(await isNew()).toEqual([false, true, false]);
  });
});

describe('the plan of the poller', () => {
  test('says whether an approved run has payments to be funded', async () => {
    const own = await createTestDatabase();
    const { database } = own;
    const { runId, paymentIds } = await aStoredRun(database, 2);
    await putInto(database, paymentIds[1] ?? '', 'processing');
    const sending = async () => (await summarizeInFlight(database, ACCOUNT, { fundsAgeLimitMs: 1_000 })).sending;
    expect(await sending()).toBe(false);
    await bypassTriggers(database, `update runs set state = 'running' where run_id = $1`, [runId]);
    expect(await sending()).toBe(true);
    await putInto(database, paymentIds[0] ?? '', 'processing');
    expect(await sending()).toBe(false);
    await own.drop();
  });
});
