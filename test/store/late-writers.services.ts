import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBalances, saveBalances } from '../../store/payments/balance-snapshots.ts';
import {
  claimBeneficiary,
  dropBeneficiaryClaim,
  forgetBeneficiary,
  saveBeneficiary,
  type BeneficiaryClaim,
} from '../../store/beneficiaries/beneficiaries.ts';
import { applyProviderStatuses, type StatusObservation } from '../../store/payments/provider-statuses.ts';
import { summarizeInFlight } from '../../store/payments/poll-plan.ts';
import type { Database } from '../../store/database/database.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readReferences, saveReference } from '../../store/payment-file/reference-data.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun, auditKindsOf, putInto } from './a-stored-run.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ({ database } = testDatabase);
});
afterAll(() => testDatabase.drop());

const HOUR_MS = 3_600_000;

describe('an older read that is stored later', () => {
  test('balances: the later read stays, whoever writes last', async () => {
    const account = randomUUID();
    const [late, timely] = [await beginReading(database), await beginReading(database)];
    await saveBalances(database, account, timely, [{ currency: 'USD', amount: '70' }]);
    await saveBalances(database, account, late, [
      { currency: 'USD', amount: '100' },
      { currency: 'EUR', amount: '5' },
    ]);
    const held = await readBalances(database, account);
    expect(held.map(({ currency, amount }) => [currency, Number(amount)]).sort()).toEqual([
      ['EUR', 5],
      ['USD', 70],
    ]);
  });

  test('balances with a future timestamp are overwritten', async () => {
    const account = randomUUID();
    await saveBalances(database, account, '2999-01-01', [{ currency: 'USD', amount: '100' }]);
    await saveBalances(database, account, await beginReading(database), [{ currency: 'USD', amount: '70' }]);
    expect((await readBalances(database, account)).map(({ amount }) => Number(amount))).toEqual([70]);
  });

  test('lists of the provider: the later one stays', async () => {
    const account = randomUUID();
    const entry = { account, kind: 'pairs', key: '*' } as const;
    const [late, timely] = [await beginReading(database), await beginReading(database)];
    await saveReference(database, { ...entry, content: ['newer'], readAt: timely });
    await saveReference(database, { ...entry, content: ['older'], readAt: late });
    expect(await readReferences(database, account, HOUR_MS)).toMatchObject([{ content: ['newer'] }]);
  });
});

describe('an older read of payments in flight', () => {
  const anObservation = (providerPaymentId: string, providerStatus: string): StatusObservation => ({
    ...{ providerPaymentId, providerStatus, state: 'processing', errorCode: null, errorMessage: null },
  });

  async function aPaymentInFlight(account: string): Promise<{ paymentId: string; providerPaymentId: string }> {
    const [paymentId = ''] = (await aStoredRun(database)).paymentIds;
    const providerPaymentId = randomUUID();
    await putInto(database, paymentId, 'processing', { providerPaymentId });
    await bypassTriggers(database, 'update payments set account = $2 where payment_id = $1', [paymentId, account]);
    return { paymentId, providerPaymentId };
  }

  test('does not change what a later one showed', async () => {
    const account = randomUUID();
    const { paymentId, providerPaymentId } = await aPaymentInFlight(account);
    const [late, timely] = [await beginReading(database), await beginReading(database)];
    await applyProviderStatuses(database, account, timely, [anObservation(providerPaymentId, 'second')]);
    await applyProviderStatuses(database, account, late, [anObservation(providerPaymentId, 'first')]);
    expect((await readPayment(database, paymentId)).providerStatus).toBe('second');
  });

  test('keeps a webhook that came after the read began', async () => {
    const account = randomUUID();
    const { paymentId, providerPaymentId } = await aPaymentInFlight(account);
    const late = await beginReading(database);
    await database.query('update payments set webhook_received_at = clock_timestamp() where payment_id = $1', [
      paymentId,
    ]);
    await applyProviderStatuses(database, account, late, [anObservation(providerPaymentId, 'processing')]);
    expect((await summarizeInFlight(database, account, { fundsAgeLimitMs: 1_000 })).withWebhook).toBe(1);
    await applyProviderStatuses(database, account, await beginReading(database), [
      anObservation(providerPaymentId, 'processing'),
    ]);
    expect((await summarizeInFlight(database, account, { fundsAgeLimitMs: 1_000 })).withWebhook).toBe(0);
  });
});

describe('a beneficiary that two payments create', () => {
  let fingerprint: string;
  let first: string;
  let second: string;

  beforeEach(async () => {
    fingerprint = randomUUID();
    [first = '', second = ''] = (await aStoredRun(database, 2)).paymentIds;
    await database.query('update payments set beneficiary_id = null where payment_id = any($1)', [[first, second]]);
  });

  const claim = (paymentId: string) => claimBeneficiary(database, { account: ACCOUNT, fingerprint, paymentId });

  async function claimOf(paymentId: string): Promise<BeneficiaryClaim> {
    const claimed = await claim(paymentId);
    if (!('claimedAt' in claimed)) throw new Error(`the beneficiary is ${claimed.kind}`);
    return { account: ACCOUNT, fingerprint, paymentId, claimedAt: claimed.claimedAt };
  }

  const beneficiaryNameOf = async (paymentId: string): Promise<string | null> =>
    (await readPayment(database, paymentId)).beneficiaryId;

  const ageClaim = (): Promise<unknown> =>
    database.query(`update beneficiaries set claimed_at = claimed_at - interval '1 hour' where fingerprint = $1`, [
      fingerprint,
    ]);

  test('is taken over by only one of those that find the claim old at the same time', async () => {
    const [third = '', fourth = ''] = (await aStoredRun(database, 2)).paymentIds;
    await claimOf(first);
    await ageClaim();
    const kinds = (await Promise.all([second, third, fourth].map(claim))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'unknown_outcome')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(2);
  });

  test('is the one of the current claim, and the audit trail names that of the superseded claim', async () => {
    const superseded = await claimOf(first);
    await ageClaim();
    const current = await claimOf(second);
    expect(await saveBeneficiary(database, superseded, { beneficiaryId: 'created-late', mac: 'mac-late' })).toBe(false);
    expect(await saveBeneficiary(database, current, { beneficiaryId: 'created-in-time', mac: 'mac-in-time' })).toBe(
      true,
    );
    expect(await claim(first)).toEqual({ kind: 'known', beneficiaryId: 'created-in-time', mac: 'mac-in-time' });
    expect(await auditKindsOf(database, first)).toContain('beneficiary_unused');
  });

  test('is not released by a superseded claim, even of the same payment', async () => {
    const superseded = await claimOf(first);
    const current = await claimOf(first);
    await dropBeneficiaryClaim(database, superseded);
    expect((await claim(second)).kind).toBe('claimed');
    await dropBeneficiaryClaim(database, current);
    expect((await claim(second)).kind).toBe('mine');
  });

  test('stays on a payment that was created with it', async () => {
    const beneficiaryId = randomUUID();
    await database.query('update payments set beneficiary_id = $2 where payment_id = $1', [first, beneficiaryId]);
    await putInto(database, first, 'created');
    expect(await forgetBeneficiary(database, { account: ACCOUNT, paymentId: first, beneficiaryId })).toBe(false);
    expect(await beneficiaryNameOf(first)).toBe(beneficiaryId);
  });
});
