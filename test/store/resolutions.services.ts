import { afterAll, beforeAll, expect, test } from 'vitest';
import { concludeManualOutcomeActivity } from '../../activities/payments/conclude-manual-outcome.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import type { LookUp } from '../../domain/payments/look-up.ts';
import { stateByStatus } from '../../domain/payments/provider-status.ts';
import {
  confirmResolutionAs,
  denyResolutionAs,
  proposeResolutionAs,
} from '../../store/payments/resolution-decisions.ts';
import { recordLookUp } from '../../store/payments/look-ups.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { listResolutions } from '../../store/payments/resolutions.ts';
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
  await proposeResolutionAs(asServer, by.proof, proposal);
  return (await listResolutions(asServer, paymentId)).at(-1)?.resolutionId ?? '';
}

const confirm = (by: TestUser, resolutionId: string) =>
  confirmResolutionAs(testDatabase.asServer, by.proof, resolutionId);

/** What the worker does when anyone who reaches Temporal starts the workflow. */
function conclude(resolutionId: string, input: { resolutionId: string } = { resolutionId }) {
  const settings = { stateOf: stateByStatus({}) };
  const dependencies = { database: testDatabase.asWorker, settings, now: Date.now } as ActivityDependencies;
  return concludeManualOutcomeActivity(dependencies)(input);
}

/** Records look-ups as the activities do that ask the provider by our reference and by its id. */
async function lookedUp(
  paymentId: string,
  {
    asked = ['find', 'read'],
    status = null,
    minutesAgo = 0,
  }: { asked?: readonly LookUp['asked'][]; status?: string | null; minutesAgo?: number } = {},
): Promise<void> {
  const { asWorker } = testDatabase;
  const payments = status === null ? [] : [{ providerPaymentId: `of ${paymentId}`, status }];
  for (const how of asked) {
    await recordLookUp(asWorker, paymentId, { asked: how, payments, onlyOthers: false }, await beginReading(asWorker));
  }
  const earlier = `update look_ups set asked_at = asked_at - make_interval(mins => $2) where payment_id = $1`;
  await asWorker.query(earlier, [paymentId, minutesAgo]);
}

const stateOf = async (paymentId: string) => (await readPayment(testDatabase.asWorker, paymentId)).state;

test('the proposer of a resolution does not confirm it', async () => {
  const { paymentId } = await anUnknownRow();
  const resolutionId = await propose(chris, paymentId);
  await expect(confirm(chris, resolutionId)).rejects.toMatchObject(refusedWith('not_allowed'));
  await confirm(sam, resolutionId);
});

test('the maker of the run does not confirm a resolution', async () => {
  const { runId, paymentId } = await anUnknownRow();
  await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, sam.userId]);
  const resolutionId = await propose(chris, paymentId);
  await expect(confirm(sam, resolutionId)).rejects.toMatchObject(refusedWith('not_allowed'));
});

test('a closed proposal is not confirmed', async () => {
  const { paymentId } = await anUnknownRow();
  const resolutionId = await propose(mia, paymentId);
  await denyResolutionAs(testDatabase.asServer, chris.proof, { resolutionId, reason: null });
  await expect(confirm(sam, resolutionId)).rejects.toMatchObject(refusedWith('conflict'));
});

test('only a checker or its proposer denies a proposal', async () => {
  const { paymentId } = await anUnknownRow();
  const denial = { resolutionId: await propose(mia, paymentId), reason: null };
  const denied = (by: TestUser) => denyResolutionAs(testDatabase.asServer, by.proof, denial);
  await expect(denied(max)).rejects.toMatchObject(refusedWith('not_allowed'));
  await denied(mia);
});

test('only an unknown row is resolved by people', async () => {
  const { paymentId } = await anUnknownRow();
  await putInto(testDatabase.database, paymentId, 'processing');
  await expect(propose(mia, paymentId)).rejects.toMatchObject(refusedWith('conflict'));
});

test('a row is resolved when one person has proposed and another confirmed it, whoever starts the workflow', async () => {
  const { paymentId } = await anUnknownRow();
  const resolutionId = await propose(mia, paymentId);
  expect(await conclude(resolutionId)).toMatchObject({ kind: 'refused', refusal: { why: 'not_open' } });
  expect(await stateOf(paymentId)).toBe('unknown');
  await confirm(chris, resolutionId);
  await lookedUp(paymentId);
  expect(await conclude(resolutionId)).toEqual({ kind: 'confirmed' });
  expect(await stateOf(paymentId)).toBe('failed');
});

test('a row is resolved when the provider was asked after the confirmation, and by nothing else that a worker is sent', async () => {
  const { paymentId } = await anUnknownRow();
  const resolutionId = await propose(mia, paymentId);
  await lookedUp(paymentId);
  await confirm(chris, resolutionId);
  const notAsked = { kind: 'refused', refusal: { why: 'provider_not_asked' } };
  // As anyone who reaches Temporal could send the worker a result.
  const told = { resolutionId, lookUps: [{ asked: 'find', payments: [], onlyOthers: false }] };
  expect(await conclude(resolutionId, told)).toMatchObject(notAsked);
  await lookedUp(paymentId, { asked: ['find'] });
  expect(await conclude(resolutionId)).toMatchObject(notAsked);
  const longAgo = `update resolution_confirmations set confirmed_at = confirmed_at - interval '1 hour' where resolution_id = $1`;
  await bypassTriggers(testDatabase.database, longAgo, [resolutionId]);
  await lookedUp(paymentId, { minutesAgo: 2 });
  expect(await conclude(resolutionId)).toMatchObject(notAsked);
  expect(await stateOf(paymentId)).toBe('unknown');
  await lookedUp(paymentId, { status: 'completed' });
  expect(await conclude(resolutionId)).toMatchObject({ kind: 'contradicted' });
  expect(await stateOf(paymentId)).toBe('paid');
});

test('a confirmation is valid only for the evidence at the time of the proposal', async () => {
  const { paymentId } = await anUnknownRow();
  const resolutionId = await propose(mia, paymentId);
  await confirm(chris, resolutionId);
  await testDatabase.asWorker.query(`update payments set provider_status = 'seen' where payment_id = $1`, [paymentId]);
  expect(await conclude(resolutionId)).toMatchObject({ kind: 'refused', refusal: { why: 'row_has_changed' } });
  expect(await stateOf(paymentId)).toBe('unknown');
});

test('a confirmation is never changed or deleted, and the table refuses confirming one’s own', async () => {
  const { paymentId } = await anUnknownRow();
  const resolutionId = await propose(mia, paymentId);
  await confirm(chris, resolutionId);
  const { database } = testDatabase;
  for (const statement of [
    'delete from resolution_confirmations',
    'truncate resolution_confirmations',
    'update resolution_confirmations set confirmed_by = confirmed_by',
  ]) {
    await expect(database.query(statement)).rejects.toThrow('can only be added to');
  }
  const own = `update resolutions set state = 'confirmed', closed_by = proposed_by where resolution_id = $1`;
  await expect(testDatabase.asWorker.query(own, [resolutionId])).rejects.toThrow('confirmed_by_another');
});
