import { afterAll, beforeAll, expect, test } from 'vitest';
import { concludeManualOutcomeActivity } from '../../activities/payments/conclude-manual-outcome.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import type { PaymentLookup } from '../../domain/payments/payment-lookup.ts';
import { stateByStatus } from '../../domain/payments/provider-status.ts';
import {
  confirmManualOutcomeAs,
  rejectManualOutcomeAs,
  proposeManualOutcomeAs,
} from '../../store/payments/manual-outcome-decisions.ts';
import { recordLookup } from '../../store/payments/payment-lookups.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { listManualOutcomes } from '../../store/payments/manual-outcomes.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun, putInto } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

/** Who may resolve an unknown row: the rules of the database. */

let testDatabase: TestDatabase;
let mia: TestUser;
let max: TestUser;
let chris: TestUser;
let sam: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  mia = await aUser(testDatabase, 'Mia', 'maker');
  max = await aUser(testDatabase, 'Max', 'maker');
  chris = await aUser(testDatabase, 'Chris', 'checker');
  sam = await aUser(testDatabase, 'Sam', 'checker');
});
afterAll(() => testDatabase.drop());

async function anUnknownRow(): Promise<{ runId: string; paymentId: string }> {
  const { runId, paymentIds } = await anApprovedRun(testDatabase.database);
  const paymentId = paymentIds[0] ?? '';
  await putInto(testDatabase.database, paymentId, 'unknown', { providerPaymentId: `of ${paymentId}` });
  return { runId, paymentId };
}

async function propose(by: TestUser, paymentId: string): Promise<string> {
  const { asServer } = testDatabase;
  const evidence = await readEvidence(asServer, paymentId);
  const evidenceHash = evidence === null ? '' : evidenceHashOf(evidence);
  const proposal = { paymentId, outcome: 'failed', providerPaymentId: null, reason: 'told so', evidenceHash };
  await proposeManualOutcomeAs(asServer, by.tokenHash, proposal);
  return (await listManualOutcomes(asServer, paymentId)).at(-1)?.manualOutcomeId ?? '';
}

const confirm = (by: TestUser, manualOutcomeId: string) =>
  confirmManualOutcomeAs(testDatabase.asServer, by.tokenHash, manualOutcomeId);

/** What the worker does when anyone who reaches Temporal starts the workflow. */
function conclude(manualOutcomeId: string, input: { manualOutcomeId: string } = { manualOutcomeId }) {
  const settings = { stateOf: stateByStatus({}) };
  const dependencies = { database: testDatabase.asWorker, settings, now: Date.now } as ActivityDependencies;
  return concludeManualOutcomeActivity(dependencies)(input);
}

/** Records lookups as the activities do that ask the provider by our reference and by its id. */
async function recordLookups(
  paymentId: string,
  {
    asked = ['by_reference', 'by_id'],
    status = null,
    minutesAgo = 0,
  }: { asked?: readonly PaymentLookup['asked'][]; status?: string | null; minutesAgo?: number } = {},
): Promise<void> {
  const { asWorker } = testDatabase;
  const payments = status === null ? [] : [{ providerPaymentId: `of ${paymentId}`, status }];
  for (const how of asked) {
    await recordLookup(asWorker, paymentId, { asked: how, payments, onlyOthers: false }, await beginReading(asWorker));
  }
  const earlier = `update payment_lookups set asked_at = asked_at - make_interval(mins => $2) where payment_id = $1`;
  await asWorker.query(earlier, [paymentId, minutesAgo]);
}

const stateOf = async (paymentId: string) => (await readPayment(testDatabase.asWorker, paymentId)).state;

test('the proposer of a manual outcome does not confirm it', async () => {
  const { paymentId } = await anUnknownRow();
  const manualOutcomeId = await propose(chris, paymentId);
  await expect(confirm(chris, manualOutcomeId)).rejects.toMatchObject(refusedWith('not_allowed'));
  await confirm(sam, manualOutcomeId);
});

test('the maker of the run does not confirm a manual outcome', async () => {
  const { runId, paymentId } = await anUnknownRow();
  await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, sam.userId]);
  const manualOutcomeId = await propose(chris, paymentId);
  await expect(confirm(sam, manualOutcomeId)).rejects.toMatchObject(refusedWith('not_allowed'));
});

test('a closed proposal is not confirmed', async () => {
  const { paymentId } = await anUnknownRow();
  const manualOutcomeId = await propose(mia, paymentId);
  await rejectManualOutcomeAs(testDatabase.asServer, chris.tokenHash, { manualOutcomeId, reason: null });
  await expect(confirm(sam, manualOutcomeId)).rejects.toMatchObject(refusedWith('conflict'));
});

test('only a checker or its proposer rejects a proposal', async () => {
  const { paymentId } = await anUnknownRow();
  const rejection = { manualOutcomeId: await propose(mia, paymentId), reason: null };
  const rejected = (by: TestUser) => rejectManualOutcomeAs(testDatabase.asServer, by.tokenHash, rejection);
  await expect(rejected(max)).rejects.toMatchObject(refusedWith('not_allowed'));
  await rejected(mia);
});

test('only an unknown row is resolved by people', async () => {
  const { paymentId } = await anUnknownRow();
  await putInto(testDatabase.database, paymentId, 'processing');
  await expect(propose(mia, paymentId)).rejects.toMatchObject(refusedWith('conflict'));
});

test('a row is resolved when one person has proposed and another confirmed it, whoever starts the workflow', async () => {
  const { paymentId } = await anUnknownRow();
  const manualOutcomeId = await propose(mia, paymentId);
  expect(await conclude(manualOutcomeId)).toMatchObject({ kind: 'refused', refusal: { why: 'not_open' } });
  expect(await stateOf(paymentId)).toBe('unknown');
  await confirm(chris, manualOutcomeId);
  await recordLookups(paymentId);
  expect(await conclude(manualOutcomeId)).toEqual({ kind: 'confirmed' });
  expect(await stateOf(paymentId)).toBe('failed');
});

test('a row is resolved when the provider was asked after the confirmation, and by nothing else that a worker is sent', async () => {
  const { paymentId } = await anUnknownRow();
  const manualOutcomeId = await propose(mia, paymentId);
  await recordLookups(paymentId);
  await confirm(chris, manualOutcomeId);
  const notAsked = { kind: 'refused', refusal: { why: 'provider_not_asked' } };
  // As anyone who reaches Temporal could send the worker a result.
  const input = { manualOutcomeId, lookups: [{ asked: 'by_reference', payments: [], onlyOthers: false }] };
  expect(await conclude(manualOutcomeId, input)).toMatchObject(notAsked);
  await recordLookups(paymentId, { asked: ['by_reference'] });
  expect(await conclude(manualOutcomeId)).toMatchObject(notAsked);
  const longAgo = `update payment_manual_outcome_confirmations set confirmed_at = confirmed_at - interval '1 hour' where manual_outcome_id = $1`;
  await bypassTriggers(testDatabase.database, longAgo, [manualOutcomeId]);
  await recordLookups(paymentId, { minutesAgo: 2 });
  expect(await conclude(manualOutcomeId)).toMatchObject(notAsked);
  expect(await stateOf(paymentId)).toBe('unknown');
  await recordLookups(paymentId, { status: 'completed' });
  expect(await conclude(manualOutcomeId)).toMatchObject({ kind: 'contradicted' });
  expect(await stateOf(paymentId)).toBe('paid');
});

test('a confirmation is valid only for the evidence at the time of the proposal', async () => {
  const { paymentId } = await anUnknownRow();
  const manualOutcomeId = await propose(mia, paymentId);
  await confirm(chris, manualOutcomeId);
  await testDatabase.asWorker.query(`update payments set provider_status = 'seen' where payment_id = $1`, [paymentId]);
  expect(await conclude(manualOutcomeId)).toMatchObject({ kind: 'refused', refusal: { why: 'row_has_changed' } });
  expect(await stateOf(paymentId)).toBe('unknown');
});

test('a confirmation is never changed or deleted, and the table refuses confirming one’s own', async () => {
  const { paymentId } = await anUnknownRow();
  const manualOutcomeId = await propose(mia, paymentId);
  await confirm(chris, manualOutcomeId);
  const { database } = testDatabase;
  for (const statement of [
    'delete from payment_manual_outcome_confirmations',
    'truncate payment_manual_outcome_confirmations',
    'update payment_manual_outcome_confirmations set confirmed_by = confirmed_by',
  ]) {
    await expect(database.query(statement)).rejects.toThrow('can only be added to');
  }
  const own = `update payment_manual_outcomes set state = 'confirmed', closed_by = proposed_by where manual_outcome_id = $1`;
  await expect(testDatabase.asWorker.query(own, [manualOutcomeId])).rejects.toThrow('confirmed_by_another');
});
