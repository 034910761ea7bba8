import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../client/engine/create-engine.ts';
import type { Engine } from '../../client/engine/engine-api.ts';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import type { RunDecision } from '../../workflows/messages.ts';
import { csvOf } from '../helpers/payment-file.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { newRows, NO_DECISION, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { expectPaidOnce, paymentsAt } from '../helpers/sandbox-control.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

/** Puts a decision to the workflow itself, past every check of the engine; answers the type of the refusal. */
async function decideDirectly(
  runId: string,
  kind: 'approveRun' | 'rejectRun',
  decision: RunDecision,
): Promise<string | null | undefined> {
  const handle = payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId));
  const refused: unknown = await handle
    .executeUpdate<undefined, [RunDecision]>(kind, { args: [decision] })
    .catch((error: unknown) => error);
  if (refused instanceof WorkflowUpdateFailedError && refused.cause instanceof ApplicationFailure) {
    return refused.cause.type;
  }
  throw new Error('the decision was not refused by the workflow', { cause: refused });
}

async function stateOf(runId: string): Promise<string | undefined> {
  return (await payrun.engine.findRun(runId))?.state;
}

async function auditKinds(runId: string): Promise<string[]> {
  const { rows } = await payrun.database.query<{ kind: string }>(
    'select kind from audit_entries where run_id = $1 order by entry_id',
    [runId],
  );
  return rows.map(({ kind }) => kind);
}

describe('a decision on a run', () => {
  test('a maker cannot decide on their own run, whatever their role and by whatever way', async () => {
    const { engine, maker, checker } = payrun;
    const runId = await submitRows(payrun, newRows(1));
    for (const role of ['maker', 'checker', 'administrator'] as const) {
      const refused = engine.approveRun({ userId: maker.userId, role }, runId, NO_DECISION);
      await expect(refused).rejects.toMatchObject({ code: 'not_allowed' });
    }
    expect((await auditKinds(runId)).filter((kind) => kind === 'decision_refused')).toHaveLength(3);
    const decision = { userId: maker.userId, contentHash: null };
    expect(await decideDirectly(runId, 'approveRun', decision)).toBe('maker_decides');
    expect(await decideDirectly(runId, 'rejectRun', decision)).toBe('maker_decides');
    expect(await stateOf(runId)).toBe('in_approval');
    await engine.rejectRun(checker, runId, NO_DECISION);
  });

  test('on other content than what was looked at it is refused, and on what was looked at it counts', async () => {
    const { engine, checker } = payrun;
    const runId = await submitRows(payrun, newRows(1));
    const contentHash = 'f'.repeat(64);
    await expect(engine.approveRun(checker, runId, { comment: null, contentHash })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await decideDirectly(runId, 'approveRun', { userId: checker.userId, contentHash })).toBe('content_changed');
    expect(await stateOf(runId)).toBe('in_approval');

    const seen = (await engine.findRun(runId))?.proposal?.contentHash ?? null;
    const approved = await engine.approveRun(checker, runId, { comment: null, contentHash: seen });
    expect(approved.decidedBy).toEqual({ userId: checker.userId, name: 'Chris Checker' });
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('a rejected run pays nothing, and no second decision brings it back', async () => {
    const { engine, checker, sandbox } = payrun;
    const paymentsBefore = (await paymentsAt(sandbox)).length;
    const runId = await submitRows(payrun, newRows(2));
    await engine.rejectRun(checker, runId, { comment: 'not this month', contentHash: null });
    await payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId)).result();
    expect(await stateOf(runId)).toBe('rejected');
    await expect(engine.approveRun(checker, runId, NO_DECISION)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(runId)).toBe('rejected');
    expect(await paymentsAt(sandbox)).toHaveLength(paymentsBefore);
    expect(await auditKinds(runId)).toEqual([
      'run_submitted',
      'run_proposed',
      'run_in_approval',
      'decision_comment',
      'run_rejected',
    ]);
  });

  test('an approved run is not decided on again, and goes on', async () => {
    const { engine, checker } = payrun;
    const runId = await submitRows(payrun, newRows(1));
    const [one, other] = await Promise.allSettled([
      engine.approveRun(checker, runId, NO_DECISION),
      engine.rejectRun(checker, runId, NO_DECISION),
    ]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
    await expect(engine.rejectRun(checker, runId, NO_DECISION)).rejects.toMatchObject({ code: 'conflict' });
    await untilRun(engine, runId, 'completed', 'rejected');
    expect((await auditKinds(runId)).filter((kind) => /^run_(running|rejected)$/.test(kind))).toHaveLength(1);
  });

  test('covers the rows as they were: one that is changed behind it is held and not paid', async () => {
    const { engine, checker, database } = payrun;
    const runId = await submitRows(payrun, newRows(2));
    await database.query(
      `update payments set instruction = jsonb_set(instruction, '{amount}', '"9999.00"') where run_id = $1 and row_number = 1`,
      [runId],
    );
    await engine.approveRun(checker, runId, NO_DECISION);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ held: 1, paid: 1 });
    const [changed] = await engine.listRows(runId, { limit: 1, afterLine: 0, state: null });
    expect(changed?.errorCode).toBe('row_not_as_approved');
  });

  test('a run that nobody decides on in time expires and pays nothing', async () => {
    const { checker, sandbox } = payrun;
    const paymentsBefore = (await paymentsAt(sandbox)).length;
    const hasty = engineThatExpiresRuns();
    const outcome = await hasty.submit(payrun.maker, {
      account: null,
      fileName: 'test.csv',
      csv: csvOf(newRows(1)),
      defaults: {},
      mapping: {},
      files: [],
      onInvalid: 'reject',
    });
    const runId = outcome.kind === 'accepted' ? outcome.runId : '';
    const run = await untilRun(hasty, runId, 'expired');
    expect(run.stateReason).toBe('nobody decided on it in time');
    await expect(hasty.approveRun(checker, runId, NO_DECISION)).rejects.toMatchObject({ code: 'conflict' });
    expect(await paymentsAt(sandbox)).toHaveLength(paymentsBefore);
  });
});

function engineThatExpiresRuns(): Engine {
  return createEngine({
    database: payrun.database,
    temporal: payrun.temporal,
    accounts: [{ name: 'default', requestsPerSecond: 0, requestsPerDay: 0, requestsReservedPerDay: 0 }],
    now: Date.now,
    settings: { decisionWithinMs: 300, windowSize: 50, referenceMaxAgeMs: 86_400_000, referenceTimeoutMs: 30_000 },
  });
}
