import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../domain/users/role.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, untilRun } from '../helpers/payrun-under-test.ts';
import { linesOf, newRows, runOf, submitFile, submitRows } from '../helpers/run-under-test.ts';
import { forcePayment, paymentsAt, inProgress } from '../helpers/sandbox-control.ts';
import {
  anUnknownRow,
  aRowOfUnknownCreation,
  kindsOf,
  propose,
  rowAt,
  startUnconfirmed,
  trailOf,
} from '../helpers/unknown-rows.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

let payrun: PayrunUnderTest;
let second: TestUser;

beforeAll(async () => {
  payrun = await startUnconfirmed();
  second = await aUser(payrun.testDatabase, 'Sam Second', 'checker');
});
afterAll(() => payrun.stop());

describe('an unknown row', () => {
  test('shows its evidence: requests, outcomes and the last provider status, but no bank details', async () => {
    const row = await anUnknownRow(payrun);
    const detail = await rowAt(payrun, row);
    expect(detail).toMatchObject({
      state: 'unknown',
      errorCode: 'not_confirmed',
      providerStatus: inProgress,
      referenceId: `${detail.paymentId}-1`,
      manualOutcomes: [],
    });
    expect(detail.requests.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['quote', 'took_effect'],
      ['create', 'took_effect'],
      ['fund', 'took_effect'],
    ]);
    expect(JSON.stringify(detail)).not.toMatch(/accountNumber|12345678/i);
    expect((await linesOf(payrun.application.results(row.runId)))[1]).toContain('not_confirmed');
    // It may have been paid: nobody is given it to submit it again.
    expect(await linesOf(payrun.application.exceptions(row.runId))).toHaveLength(1);
  });
});

describe('resolving an unknown row', () => {
  test('takes two people: nothing changes until the second confirms, and the run follows the row', async () => {
    const { application, maker, checker, sandbox } = payrun;
    const row = await anUnknownRow(payrun);
    expect((await runOf(payrun, row.runId)).state).toBe('failed');
    const seen = await propose(payrun, row, 'paid');
    expect((await rowAt(payrun, row)).state).toBe('unknown');
    await forcePayment(sandbox, row.providerPaymentId, 'completed');
    const resolved = await application.confirmManualOutcome(checker, row, seen);
    expect(resolved).toMatchObject({ state: 'paid', errorCode: null, providerStatus: 'completed' });
    expect(resolved.manualOutcomes).toMatchObject([
      { outcome: 'paid', state: 'confirmed', proposedBy: { name: 'Mia Maker' }, closedBy: { name: 'Chris Checker' } },
    ]);
    expect(await runOf(payrun, row.runId)).toMatchObject({ state: 'completed', rows: { paid: 1 } });
    expect(await trailOf(payrun, row)).toEqual([
      { kind: 'manual_outcome_proposed', actor: maker.userId, reason: 'told by the provider on the telephone' },
      { kind: 'manual_outcome_confirm_asked', actor: checker.userId, reason: null },
      { kind: 'resolved', actor: 'worker', reason: null },
      { kind: 'manual_outcome_confirmed', actor: 'worker', reason: null },
    ]);
  });

  test('is refused to the proposer, whatever their role, and to the maker of the run', async () => {
    const { application, checker } = payrun;
    const row = await anUnknownRow(payrun);
    const own = await propose(payrun, row, 'paid', { by: checker });
    for (const user of [checker, { ...checker, roles: [...ROLES] }]) {
      await expect(application.confirmManualOutcome(user, row, own)).rejects.toMatchObject({ code: 'not_allowed' });
    }
    expect((await rowAt(payrun, row)).state).toBe('unknown');
    expect(await kindsOf(payrun, row)).toEqual([
      'manual_outcome_proposed',
      ...Array<string>(2).fill('manual_outcome_refused'),
    ]);
    const { rowCount } = await payrun.database
      .query(
        `update payment_manual_outcomes set state = 'confirmed', closed_by = proposed_by where manual_outcome_id = $1`,
        [own.manualOutcomeId],
      )
      .catch((error: unknown) => ({ rowCount: error instanceof Error ? error.message : null }));
    expect(rowCount).toContain('confirmed_by_another');
    expect(await application.confirmManualOutcome(second, row, own)).toMatchObject({ state: 'paid' });
  });

  test('records what the provider shows if it contradicts the proposal', async () => {
    const { application, checker, sandbox } = payrun;
    const row = await anUnknownRow(payrun);
    const seen = await propose(payrun, row, 'failed');
    await forcePayment(sandbox, row.providerPaymentId, 'completed');
    await expect(application.confirmManualOutcome(checker, row, seen)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`payment ${row.providerPaymentId} as completed`) as string,
    });
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'paid', manualOutcomes: [{ state: 'contradicted' }] });
    expect((await runOf(payrun, row.runId)).state).toBe('completed');
    expect(await kindsOf(payrun, row)).toEqual([
      'manual_outcome_proposed',
      'manual_outcome_confirm_asked',
      'manual_outcome_contradicted',
      'provider_state_recorded',
    ]);
  });

  test('never makes a payment uncreated or failed that the provider is processing', async () => {
    const { application, checker } = payrun;
    const row = await aRowOfUnknownCreation(payrun);
    const never = await propose(payrun, row, 'never_created');
    await expect(application.confirmManualOutcome(checker, row, never)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'unknown', providerPaymentId: row.providerPaymentId });
    const failed = await propose(payrun, row, 'failed');
    await expect(application.confirmManualOutcome(checker, row, failed)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowAt(payrun, row)).toMatchObject({ state: 'unknown', providerStatus: inProgress });
    await expect(propose(payrun, row, 'never_created')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('as never created ends the row unpaid, and a resubmission is not a duplicate', async () => {
    const { application, checker, database, sandbox } = payrun;
    const [row, other] = newRows(2);
    const runId = await submitRows(payrun, [row!, other!]);
    const place = { runId, rowRef: row!.row_ref };
    // As if the worker had died between the intent and the request.
    await bypassTriggers(
      database,
      `with lost as (
         update payments set state = 'unknown', error_code = 'step_failed' where run_id = $1 and row_ref = $2
         returning account, payment_id
       )
       insert into provider_requests (account, payment_id, attempt, operation, non_idempotent)
       select account, payment_id, 1, 'create', true from lost`,
      [runId, row!.row_ref],
    );
    const paymentsBefore = (await paymentsAt(sandbox)).length;
    const seen = await propose(payrun, place, 'never_created');
    const resolved = await application.confirmManualOutcome(checker, place, seen);
    expect(resolved).toMatchObject({
      state: 'cancelled',
      errorCode: 'resolved_never_created',
      lookups: [{ request: 'by_reference', result: 'nothing' }],
    });
    expect((await linesOf(application.exceptions(runId)))[1]).toMatch(
      /cancelled,two people resolved it as never created/,
    );
    expect(await paymentsAt(sandbox)).toHaveLength(paymentsBefore);
    const contentHash = await readContentHash(database, runId);
    await application.rejectRun(checker, runId, { comment: 'over', contentHash });

    const again = await submitFile(payrun, csvOf([row!]));
    const { rows } = await untilRun(application, again.kind === 'accepted' ? again.runId : '', 'in_approval');
    expect(rows).toEqual({ ready: 1 });
  });
});
