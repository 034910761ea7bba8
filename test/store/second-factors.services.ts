import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Refused } from '../../store/database/call-as-user.ts';
import { conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { confirmManualOutcomeAs, proposeManualOutcomeAs } from '../../store/payments/manual-outcome-decisions.ts';
import { listManualOutcomes } from '../../store/payments/manual-outcomes.ts';
import { decideOrderAs } from '../../store/treasury/order-decisions.ts';
import { type StoredSubject, stepUpWithTotpAs } from '../../store/users/second-factors.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aProposedSchedule, confirmVersion } from './a-schedule.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { anApprovedRun, putInto } from './a-stored-run.ts';
import { askedFor } from './asked-actions.ts';
import { RunsInApproval } from './runs-in-approval.ts';
import { releaseAs } from './releases-under-test.ts';

/** Decisions beside approvals, where the policy asks for a second factor at approvals. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let made = 0;
/** Has an app that shows codes. */
let chris: TestUser;
let max: TestUser;
let tina: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  max = await aUser(testDatabase, 'Max', 'maker');
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  made += 1;
  chris = await aUser(testDatabase, `Checker ${made}`, 'checker');
  await execute(
    `insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, confirmed_at)
     select gen_random_uuid(), user_id, token_id, '', 'key', now() from api_tokens where user_id = $1`,
    chris.userId,
  );
  await demandSecondFactor(true);
});

async function demandSecondFactor(approvals: boolean): Promise<void> {
  const rules = [{ name: 'one', when: {}, steps: [{ role: 'checker' }] }];
  const policy = { rules, changes: { delayHours: 72 }, secondFactor: { approvals } };
  await execute('insert into policies (policy) values ($1)', JSON.stringify(policy));
}

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

/** What the refusal says that a second factor is needed for. */
async function subjectOf(decision: Promise<unknown>): Promise<StoredSubject> {
  const refused = await decision.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ name: 'Refused', code: 'second_factor_needed' });
  return (refused as Refused).facts['subject'] as StoredSubject;
}

async function show(subject: StoredSubject): Promise<void> {
  await execute('update totp_factors set last_step = 0');
  const step = Math.floor(Date.now() / 30_000);
  await stepUpWithTotpAs(testDatabase.asServer, chris.tokenHash, subject, {
    step,
    newTokenHash: TokenHash.of(newToken()),
  });
}

/** Refused without a second factor, and with one for something else; done with one for exactly this, once. */
async function needsSecondFactor(decide: () => Promise<unknown>): Promise<void> {
  const subject = await subjectOf(decide());
  await show({ ...subject, contentHash: 'a'.repeat(64) });
  expect(await subjectOf(decide())).toEqual(subject);
  await show(subject);
  await decide();
  const { rows } = await execute('select used_at is not null as used from step_ups where subject_id = $1', subject.id);
  expect(rows.filter(({ used }: { used: boolean }) => used)).toHaveLength(1);
}

test('a release of a suspected duplicate takes one for these rows as they are', async () => {
  const { paymentIds } = await runs.aRun(2);
  const paymentId = paymentIds[1] ?? '';
  await putInto(testDatabase.database, paymentId, 'duplicate_suspect');
  const stateOf = async (): Promise<unknown> =>
    (await execute('select state from payments where payment_id = $1', paymentId)).rows as unknown;
  await needsSecondFactor(async () => {
    expect(await stateOf()).toEqual([{ state: 'duplicate_suspect' }]);
    return releaseAs(testDatabase.asServer, chris.tokenHash, { paymentId, reason: 'another invoice' });
  });
  expect(await stateOf()).toEqual([{ state: 'ready' }]);
});

test('the confirmation of a manual outcome takes one for exactly what it says', async () => {
  await demandSecondFactor(false);
  const { paymentIds } = await anApprovedRun(testDatabase.database);
  const paymentId = paymentIds[0] ?? '';
  await putInto(testDatabase.database, paymentId, 'unknown', { providerPaymentId: `of ${paymentId}` });
  const evidence = await readEvidence(testDatabase.asServer, paymentId);
  const evidenceHash = evidence === null ? '' : evidenceHashOf(evidence);
  const proposal = { paymentId, outcome: 'failed', providerPaymentId: null, reason: 'told so', evidenceHash } as const;
  await proposeManualOutcomeAs(testDatabase.asServer, max.tokenHash, proposal);
  await demandSecondFactor(true);
  const manualOutcomeId = (await listManualOutcomes(testDatabase.asServer, paymentId)).at(-1)?.manualOutcomeId ?? '';
  await needsSecondFactor(async () => {
    expect(
      (await execute('select from payment_manual_outcome_confirmations where manual_outcome_id = $1', manualOutcomeId))
        .rowCount,
    ).toBe(0);
    return confirmManualOutcomeAs(testDatabase.asServer, chris.tokenHash, manualOutcomeId);
  });
});

test('the confirmation of a schedule takes one for its definition', async () => {
  const schedule = aSchedule(SWEEP, { name: 'Sweep' });
  const scheduleId = await aProposedSchedule(testDatabase, tina, schedule);
  await needsSecondFactor(() => confirmVersion(testDatabase, chris, { scheduleId, version: 1, schedule }));
});

test('the approval of a conversion takes one for its terms', async () => {
  const order = await aStoredOrder(testDatabase, tina, 'in_approval');
  const decision = { orderId: order.orderId, decision: 'approved', reason: 'x' } as const;
  const orderHash = conversionOrderHash(order);
  await needsSecondFactor(() => decideOrderAs(testDatabase.asServer, chris.tokenHash, { ...decision, orderHash }));
});

test('what may be done now is answered without one: it is shown with the decision', async () => {
  const { paymentIds } = await runs.aRun(2);
  const paymentId = paymentIds[1] ?? '';
  await putInto(testDatabase.database, paymentId, 'duplicate_suspect');
  const { rows } = await testDatabase.asServer.query(
    `select allowed_actions($1, 'row', $2, '{release}', null) as answer`,
    [chris.tokenHash.bytes, paymentId],
  );
  expect(rows).toEqual([{ answer: { release: null } }]);
  const scheduleId = await aProposedSchedule(testDatabase, tina, aSchedule(SWEEP, { name: 'Told without one' }));
  expect(await askedFor(testDatabase, chris, { kind: 'schedule', id: scheduleId })).toMatchObject({ confirm: null });
});
