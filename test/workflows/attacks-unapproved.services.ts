import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { type Attacker, inputsOf, paymentNames, startAttacker } from '../helpers/attacker.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, newRows, reject, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { expectPaidOnce, paymentsAt } from '../helpers/sandbox-control.ts';
import { providerPaymentsOf, auditOf, RUN_ENDING_ACTIVITIES, paymentIdsOf } from '../helpers/attacked-run.ts';

let payrun: PayrunUnderTest;
let attacker: Attacker;

beforeAll(async () => {
  payrun = await startPayrun();
  attacker = await startAttacker(payrun);
});
afterAll(async () => {
  await attacker.stop();
  await payrun.stop();
});

describe('an unapproved run', () => {
  test('is not paid by workflows, signals, updates or activities, whoever sends them', async () => {
    const { checker } = payrun;
    const before = (await paymentsAt(payrun.sandbox)).length;
    const runId = await submitRows(payrun, newRows(1));
    const [paymentId = ''] = await paymentIdsOf(payrun, runId);
    await attacker.notifyRun(runId, checker.userId);
    const input = inputsOf(runId, paymentId);
    const harmless = attacker.activities.filter(({ name }) => !RUN_ENDING_ACTIVITIES.has(name));
    await attacker.callAll(harmless, input);
    await Promise.all(paymentNames(paymentId).map((workflowId) => attacker.start('payment', workflowId, input)));
    const { progress, ...fresh } = input;
    await attacker.start('paymentRun', 'mine/run', { ...fresh, progress });
    await attacker.start('paymentRun', 'mine/fresh-run', fresh);
    await attacker.start('manualOutcome', 'mine/manual-outcome', fresh);
    expect(await providerPaymentsOf(payrun, runId)).toEqual([null]);
    expect(await paymentsAt(payrun.sandbox)).toHaveLength(before);
    expect((await payrun.application.findRun(runId))?.state).toBe('in_approval');
    const audit = await auditOf(payrun, runId);
    expect(audit).toContain('request_refused');
    expect(audit).toContain('run_refused');
    expect(audit).not.toContain('run_running');

    // It is unchanged, and is paid once it is approved.
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
    await expectPaidOnce(payrun, runId);
  });

  test('is not paid if its workflow is terminated and started again', async () => {
    const runId = await submitRows(payrun, newRows(1));
    const workflowId = paymentRunWorkflowId(runId);
    await payrun.temporal.workflow.getHandle(workflowId).terminate('of the attacker');
    await attacker.start('paymentRun', workflowId, inputsOf(runId, ''));
    const begun = attacker.start('paymentRun', workflowId, { ...inputsOf(runId, ''), progress: undefined });
    expect(await begun).toBe('still running');
    expect(await providerPaymentsOf(payrun, runId)).toEqual([null]);
    expect((await payrun.application.findRun(runId))?.state).toBe('in_approval');
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
  });

  const updates: [what: string, statement: string][] = [
    ['running', `update runs set state = 'running', state_reason = null where run_id = $1`],
    ['notified', `update runs set notified_at = now(), finished_at = null where run_id = $1`],
    [
      'quoted and created',
      `with quoted as (update payments set state = 'quoted', quote_id = 'q', quoted_at = now(), beneficiary_id = 'b' where run_id = $1)
       select 1`,
    ],
  ];
  test.each(updates)('is not paid if somebody bypasses the triggers and makes it %s', async (_what, statement) => {
    const runId = await submitRows(payrun, newRows(1));
    const [paymentId = ''] = await paymentIdsOf(payrun, runId);
    const { database } = payrun.testDatabase;
    await bypassTriggers(database, statement, [runId]);
    await bypassTriggers(
      database,
      `update payments set state = 'created', provider_payment_id = 'p-' || payment_id where run_id = $1 and state = 'quoted'`,
      [runId],
    );
    const input = inputsOf(runId, paymentId);
    await attacker.start('paymentRun', `mine/${runId}`, input);
    await Promise.all(paymentNames(paymentId).map((workflowId) => attacker.start('payment', workflowId, input)));
    for (const name of ['createPayment', 'fundPayment', 'requestQuote', 'beginPayments']) {
      const activity = attacker.activities.find((one) => one.name === name);
      if (activity !== undefined) await attacker.call(activity, input);
    }
    expect(await providerPaymentsOf(payrun, runId)).toEqual([null]);
    expect((await auditOf(payrun, runId)).filter((kind) => /_refused$/.test(kind)).length).toBeGreaterThan(0);
  });
});

test('a rejected run stays unpaid, whatever is started', async () => {
  const runId = await submitRows(payrun, newRows(1));
  const [paymentId = ''] = await paymentIdsOf(payrun, runId);
  await reject(payrun, runId);
  const input = inputsOf(runId, paymentId);
  await attacker.start('paymentRun', `mine/${runId}`, input);
  await Promise.all(paymentNames(paymentId).map((workflowId) => attacker.start('payment', workflowId, input)));
  expect(await providerPaymentsOf(payrun, runId)).toEqual([null]);
});
