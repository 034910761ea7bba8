import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentState } from '../../domain/payment-state.ts';
import { claimBeneficiary, saveBeneficiary } from '../../store/beneficiaries.ts';
import { summarizeInFlight } from '../../store/confirmation.ts';
import { readPayment } from '../../store/payments.ts';
import { readWindow, takePayableRows } from '../../store/run-planning.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun, putInto, type StoredRun } from './a-stored-run.ts';

const ANY_DAY = '2026-01-31';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function aRunIn(states: readonly PaymentState[]): Promise<StoredRun> {
  const run = await aStoredRun(testDatabase.database, states.length);
  for (const [index, state] of states.entries()) {
    await putInto(testDatabase.database, run.paymentIds[index] ?? '', state);
  }
  return run;
}

async function payOn(paymentId: string | undefined, day: string): Promise<void> {
  await testDatabase.database.query(
    `update payments set instruction = jsonb_set(instruction, '{payOn}', to_jsonb($2::text)) where payment_id = $1`,
    [paymentId, day],
  );
}

describe('the window of a run', () => {
  test('counts what was begun and is not yet funded, and nothing after the last row begun', async () => {
    const { runId } = await aRunIn(['ready', 'quoted', 'created', 'processing', 'paid', 'rejected', 'held', 'ready']);
    const unsent = async (afterRow: number) =>
      (await readWindow(testDatabase.database, { runId, afterRow, dueBy: ANY_DAY })).unsent;
    expect(await unsent(0)).toBe(0);
    expect(await unsent(2)).toBe(2);
    expect(await unsent(7)).toBe(3);
    expect(await unsent(8)).toBe(4);
  });

  test('does not count rows of a later day, which are passed over', async () => {
    const { runId, paymentIds } = await aRunIn(['ready', 'ready', 'ready']);
    await payOn(paymentIds[0], '2026-02-01');
    await payOn(paymentIds[1], ANY_DAY);
    const upTo = { runId, afterRow: 3, dueBy: ANY_DAY };
    expect(await readWindow(testDatabase.database, upTo)).toMatchObject({ unsent: 2 });
    const page = { runId, afterRow: 0, dueBy: ANY_DAY, limit: 10 };
    expect((await takePayableRows(testDatabase.database, page)).map(({ rowNumber }) => rowNumber)).toEqual([2, 3]);
  });
});

describe('the payees of rows to be paid', () => {
  test('are taken over where another row has made them known, and only then', async () => {
    const { database } = testDatabase;
    const { runId, paymentIds } = await aRunIn(['ready', 'ready', 'ready']);
    const [known, unknown] = [randomUUID(), randomUUID()];
    await database.query(
      `update payments set beneficiary_id = null, payee_fingerprint = case row_number when 1 then $2 else $3 end
       where run_id = $1 and row_number < 3`,
      [runId, known, unknown],
    );
    const asked = { account: ACCOUNT, fingerprint: known, paymentId: paymentIds[2] ?? '' };
    const claim = await claimBeneficiary(database, asked);
    if (claim.kind !== 'mine') throw new Error(`the payee is ${claim.kind}`);
    const page = { runId, afterRow: 0, dueBy: ANY_DAY, limit: 10 };
    const isNew = async () => (await takePayableRows(database, page)).map(({ newBeneficiary }) => newBeneficiary);
    expect(await isNew()).toEqual([true, true, false]);
    await saveBeneficiary(database, { ...asked, claimedAt: claim.claimedAt }, 'made-known');
    expect(await isNew()).toEqual([false, true, false]);
    expect((await readPayment(database, paymentIds[0] ?? '')).beneficiaryId).toBe('made-known');
  });
});

describe('what the sweep has to look after', () => {
  test('says whether an approved run has payments to be funded', async () => {
    const { runId, paymentIds } = await aRunIn(['ready', 'processing']);
    const sending = async () => (await summarizeInFlight(testDatabase.database, ACCOUNT)).sending;
    expect(await sending()).toBe(false);
    await testDatabase.database.query(`update runs set state = 'running' where run_id = $1`, [runId]);
    expect(await sending()).toBe(true);
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'processing');
    expect(await sending()).toBe(false);
  });
});
