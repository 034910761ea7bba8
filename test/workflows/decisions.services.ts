import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { hastyApplication } from '../helpers/hasty-application.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, contentHashOf, newRows, reject, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { expectPaidOnce, paymentsAt } from '../helpers/sandbox-control.ts';
import { aUser } from '../helpers/users.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

/** Sends a decision to the workflow itself. Returns why it is refused. */
async function decideDirectly(runId: string, kind: 'approveRun' | 'rejectRun'): Promise<unknown> {
  const handle = payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId));
  const refused: unknown = await handle
    .executeUpdate<undefined, [object]>(kind, { args: [{ userId: payrun.checker.userId, contentHash: null }] })
    .catch((error: unknown) => error);
  if (refused instanceof WorkflowUpdateFailedError && refused.cause instanceof ApplicationFailure) {
    return refused.cause.message;
  }
  return `not refused by the workflow itself: ${String(refused)}`;
}

async function stateOf(runId: string): Promise<string | undefined> {
  return (await payrun.application.findRun(runId))?.state;
}

async function auditKinds(runId: string): Promise<string[]> {
  const { rows } = await payrun.database.query<{ kind: string }>(
    'select kind from audit_entries where run_id = $1 order by entry_id',
    [runId],
  );
  return rows.map(({ kind }) => kind);
}

describe('a decision on a run', () => {
  test('a maker cannot decide on their own run, but may decide on others', async () => {
    const { application, checker, testDatabase } = payrun;
    const both = await aUser(testDatabase, 'Bo Both', 'maker', 'checker');
    const own = await submitRows({ ...payrun, maker: both }, newRows(1));
    await expect(approve(payrun, own, { as: both })).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(reject(payrun, own, { as: both })).rejects.toMatchObject({ code: 'not_allowed' });
    expect((await auditKinds(own)).filter((kind) => kind === 'decision_refused')).toHaveLength(2);
    expect(await stateOf(own)).toBe('in_approval');
    await approve(payrun, own, { as: checker });
    const another = await submitRows(payrun, newRows(1));
    await reject(payrun, another, { as: both });
    expect(await stateOf(another)).toBe('rejected');
    await untilRun(application, own, 'completed');
  });

  test('that is sent to the workflow instead of the server is refused', async () => {
    const runId = await submitRows(payrun, newRows(1));
    for (const kind of ['approveRun', 'rejectRun'] as const) {
      expect(await decideDirectly(runId, kind)).toBe(`No registered handler for update: ${kind}`);
    }
    expect(await stateOf(runId)).toBe('in_approval');
    await reject(payrun, runId);
  });

  test('is refused if the content has changed since it was viewed', async () => {
    const { application, checker } = payrun;
    const runId = await submitRows(payrun, newRows(1));
    const refused = application.approveRun(checker, runId, { comment: null, contentHash: 'f'.repeat(64) });
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(runId)).toBe('in_approval');

    const contentHash = await contentHashOf(application, runId);
    const decided = await application.approveRun(checker, runId, { comment: null, contentHash });
    const { run, stepsTaken, steps, decidedBy, decidedAt } = decided;
    expect(decidedBy).toEqual({ userId: checker.userId, name: checker.name });
    const recorded = await payrun.database.query<{ at: Date }>(
      'select decided_at as at from approvals where run_id = $1',
      [runId],
    );
    expect(recorded.rows.map(({ at }) => at.toISOString())).toEqual([decidedAt]);
    expect([stepsTaken, steps, run.decisions.map(({ by }) => by)]).toEqual([
      1,
      1,
      [{ userId: checker.userId, name: 'Chris Checker' }],
    ]);
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('a rejected run pays nothing, and cannot be decided again', async () => {
    const { sandbox } = payrun;
    const paymentsBefore = (await paymentsAt(sandbox)).length;
    const runId = await submitRows(payrun, newRows(2));
    await reject(payrun, runId, { comment: 'not this month' });
    await payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId)).result();
    expect(await stateOf(runId)).toBe('rejected');
    await expect(approve(payrun, runId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(runId)).toBe('rejected');
    expect(await paymentsAt(sandbox)).toHaveLength(paymentsBefore);
    expect(await auditKinds(runId)).toEqual([
      'run_submitted',
      'run_proposed',
      'run_in_approval',
      'decision_rejected',
      'run_rejected',
    ]);
  });

  test('an approved run cannot be decided again, and continues', async () => {
    const { application } = payrun;
    const runId = await submitRows(payrun, newRows(1));
    const [one, other] = await Promise.allSettled([approve(payrun, runId), reject(payrun, runId)]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
    await expect(reject(payrun, runId)).rejects.toMatchObject({ code: 'conflict' });
    await untilRun(application, runId, 'completed', 'rejected');
    expect((await auditKinds(runId)).filter((kind) => /^run_(running|rejected)$/.test(kind))).toHaveLength(1);
  });

  test('covers the rows as they were: a row that is changed later is held and not paid', async () => {
    const { application, database } = payrun;
    const runId = await submitRows(payrun, newRows(2));
    await bypassTriggers(
      database,
      `update payments set instruction = jsonb_set(instruction, '{amount}', '"9999.00"') where run_id = $1 and row_number = 1`,
      [runId],
    );
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ held: 1, paid: 1 });
    const [changed] = await application.listRows(runId, { limit: 1, afterLine: 0, state: null });
    expect(changed?.errorCode).toBe('row_not_as_approved');
  });

  test('a run that nobody decides in time expires and pays nothing', async () => {
    const { checker, sandbox } = payrun;
    const paymentsBefore = (await paymentsAt(sandbox)).length;
    const hasty = hastyApplication(payrun);
    const outcome = await hasty.submit(payrun.maker, {
      account: null,
      fileName: 'test.csv',
      file: csvOf(newRows(1)),
      profile: null,
      files: [],
      onInvalid: 'reject',
      idempotencyKey: null,
    });
    const runId = outcome.kind === 'accepted' ? outcome.runId : '';
    const run = await untilRun(hasty, runId, 'expired');
    expect(run.stateReason).toBe('nobody decided on it in time');
    await expect(approve({ application: hasty, checker }, runId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await paymentsAt(sandbox)).toHaveLength(paymentsBefore);
  });
});
