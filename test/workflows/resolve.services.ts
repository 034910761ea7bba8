import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { RowKey } from '../../api/runs/row.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { ResolutionOutcome } from '../../domain/payments/resolution.ts';
import { ROLES } from '../../domain/users/role.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, linesOf, newRows, submitFile, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, forcePayment, orderFaults, paymentsAt, inProgress } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

const HOUR_MS = 3_600_000;

/** The provider confirms nothing, and the age limit is short: funded payments become unknown. */
let payrun: PayrunUnderTest;
let second: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    sandbox: { completionMinMs: HOUR_MS, completionMaxMs: HOUR_MS },
    settings: { confirmationAgeLimitMs: 300 },
  });
  second = await aUser(payrun.testDatabase, 'Sam Second', 'checker');
});
beforeEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

/** A run of one row that is unknown: funded, and never confirmed. */
async function anUnknownRow(): Promise<RowKey & { providerPaymentId: string }> {
  const [row] = newRows(1);
  const runId = await beginRun(payrun, [row!]);
  expect((await untilPaid(payrun, runId)).rows).toEqual({ unknown: 1 });
  const place = { runId, rowRef: row!.row_ref };
  return { ...place, providerPaymentId: (await rowAt(place)).providerPaymentId ?? '' };
}

/** Makes the record as it is after a lost answer to the creation: without the provider's id. */
async function aRowOfUnknownCreation(): Promise<RowKey & { providerPaymentId: string }> {
  const row = await anUnknownRow();
  await payrun.database.query(
    `update payments set provider_payment_id = null, provider_status = null, error_code = 'step_failed' where run_id = $1`,
    [row.runId],
  );
  return row;
}

async function rowAt({ runId, rowRef }: RowKey): Promise<RowDetail> {
  const row = await payrun.application.findRow(runId, rowRef);
  if (row === null) throw new Error('there is no such row');
  return row;
}

async function runOf({ runId }: RowKey): Promise<RunSummary> {
  const run = await payrun.application.findRun(runId);
  if (run === null) throw new Error('there is no such run');
  return run;
}

async function propose(
  row: RowKey,
  outcome: ResolutionOutcome,
  { by = payrun.maker, providerPaymentId = null }: { by?: TestUser; providerPaymentId?: string | null } = {},
): Promise<{ resolutionId: string }> {
  const proposal = { outcome, providerPaymentId, reason: 'told by the provider on the telephone' };
  const { resolutions } = await payrun.application.proposeResolution(by, row, proposal);
  return { resolutionId: resolutions.at(-1)?.resolutionId ?? '' };
}

async function trailOf({ runId }: RowKey): Promise<{ kind: string; actor: string; reason: string | null }[]> {
  const { rows } = await payrun.database.query<{ kind: string; actor: string; reason: string | null }>(
    `select kind, actor, body as reason from audit_entries
     left join remarks on remark_id::text = detail ->> 'remark'
     where audit_entries.run_id = $1 and (kind like 'resol%' or kind = 'provider_state_recorded') order by entry_id`,
    [runId],
  );
  return rows;
}

async function kindsOf(row: RowKey): Promise<string[]> {
  return (await trailOf(row)).map(({ kind }) => kind);
}

describe('an unknown row', () => {
  test('shows its evidence: requests, outcomes and the last provider status, but no bank details', async () => {
    const row = await anUnknownRow();
    const detail = await rowAt(row);
    expect(detail).toMatchObject({
      state: 'unknown',
      errorCode: 'not_confirmed',
      providerStatus: inProgress,
      referenceId: `${detail.paymentId}-1`,
      resolutions: [],
    });
    expect(detail.requests.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['quote', 'took_effect'],
      ['create', 'took_effect'],
      ['fund', 'took_effect'],
    ]);
    expect(JSON.stringify(detail)).not.toMatch(/accountNumber|12345678/i);
    expect((await linesOf(payrun.application.results(row.runId)))[1]).toContain('not_confirmed');
  });

  test('keeps the result of each look-up', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'simple-payment-create', kind: 'error_after' },
      { operation: 'simple-payment-fund', kind: 'error_after' },
    );
    const { lookUps } = await rowAt(await anUnknownRow());
    expect(lookUps).toMatchObject([{ request: 'find', times: 1 }, { request: 'read' }]);
    expect(lookUps.map(({ result }) => result)).toEqual(['awaiting_funds', inProgress]);
    // The payment's own, and the sweep's if it comes first.
    expect([1, 2]).toContain(lookUps[1]?.times);
  });
});

describe('resolving an unknown row', () => {
  test('takes two people: nothing changes until the second confirms, and the run follows the row', async () => {
    const { application, maker, checker, sandbox } = payrun;
    const row = await anUnknownRow();
    expect((await runOf(row)).state).toBe('failed');
    const seen = await propose(row, 'paid');
    expect((await rowAt(row)).state).toBe('unknown');
    await forcePayment(sandbox, row.providerPaymentId, 'completed');
    const resolved = await application.confirmResolution(checker, row, seen);
    expect(resolved).toMatchObject({ state: 'paid', errorCode: null, providerStatus: 'completed' });
    expect(resolved.resolutions).toMatchObject([
      { outcome: 'paid', state: 'confirmed', proposedBy: { name: 'Mia Maker' }, closedBy: { name: 'Chris Checker' } },
    ]);
    expect(await runOf(row)).toMatchObject({ state: 'completed', rows: { paid: 1 } });
    expect(await trailOf(row)).toEqual([
      { kind: 'resolution_proposed', actor: maker.userId, reason: 'told by the provider on the telephone' },
      { kind: 'resolution_confirm_asked', actor: checker.userId, reason: null },
      { kind: 'resolved', actor: 'worker', reason: null },
      { kind: 'resolution_confirmed', actor: 'worker', reason: null },
    ]);
  });

  test('is refused to the proposer, whatever their role, and to the maker of the run', async () => {
    const { application, checker } = payrun;
    const row = await anUnknownRow();
    const own = await propose(row, 'paid', { by: checker });
    for (const user of [checker, { ...checker, roles: [...ROLES] }]) {
      await expect(application.confirmResolution(user, row, own)).rejects.toMatchObject({ code: 'not_allowed' });
    }
    expect((await rowAt(row)).state).toBe('unknown');
    expect(await kindsOf(row)).toEqual(['resolution_proposed', ...Array<string>(2).fill('resolution_refused')]);
    const { rowCount } = await payrun.database
      .query(`update resolutions set state = 'confirmed', closed_by = proposed_by where resolution_id = $1`, [
        own.resolutionId,
      ])
      .catch((error: unknown) => ({ rowCount: error instanceof Error ? error.message : null }));
    expect(rowCount).toContain('confirmed_by_another');
    expect(await application.confirmResolution(second, row, own)).toMatchObject({ state: 'paid' });
  });

  test('has one open proposal at a time, which a checker or its proposer denies', async () => {
    const { application, maker, checker } = payrun;
    const row = await anUnknownRow();
    const first = await propose(row, 'failed');
    await expect(propose(row, 'paid', { by: checker })).rejects.toMatchObject({ code: 'conflict' });
    await application.denyResolution(checker, row, { ...first, reason: 'the telephone is no proof' });
    await expect(application.confirmResolution(second, row, first)).rejects.toMatchObject({ code: 'conflict' });
    const own = await propose(row, 'failed');
    const stranger = { ...(await aUser(payrun.testDatabase, 'Olu Other', 'maker')) };
    await expect(application.denyResolution(stranger, row, { ...own, reason: null })).rejects.toMatchObject({
      code: 'not_allowed',
    });
    const { resolutions } = await application.denyResolution(maker, row, { ...own, reason: null });
    expect(resolutions.map(({ state, closingReason }) => [state, closingReason])).toEqual([
      ['denied', 'the telephone is no proof'],
      ['denied', null],
    ]);
    expect((await rowAt(row)).state).toBe('unknown');
  });

  test('records what the provider shows if it contradicts the proposal', async () => {
    const { application, checker, sandbox } = payrun;
    const row = await anUnknownRow();
    const seen = await propose(row, 'failed');
    await forcePayment(sandbox, row.providerPaymentId, 'completed');
    await expect(application.confirmResolution(checker, row, seen)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`payment ${row.providerPaymentId} as completed`) as string,
    });
    expect(await rowAt(row)).toMatchObject({ state: 'paid', resolutions: [{ state: 'contradicted' }] });
    expect((await runOf(row)).state).toBe('completed');
    expect(await kindsOf(row)).toEqual([
      'resolution_proposed',
      'resolution_confirm_asked',
      'resolution_contradicted',
      'provider_state_recorded',
    ]);
  });

  test('never makes a payment uncreated or failed that the provider is processing', async () => {
    const { application, checker } = payrun;
    const row = await aRowOfUnknownCreation();
    const never = await propose(row, 'never_created');
    await expect(application.confirmResolution(checker, row, never)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowAt(row)).toMatchObject({ state: 'unknown', providerPaymentId: row.providerPaymentId });
    const failed = await propose(row, 'failed');
    await expect(application.confirmResolution(checker, row, failed)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowAt(row)).toMatchObject({ state: 'unknown', providerStatus: inProgress });
    await expect(propose(row, 'never_created')).rejects.toMatchObject({ code: 'conflict' });
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
       insert into provider_requests (account, payment_id, attempt, operation, exclusive)
       select account, payment_id, 1, 'create', true from lost`,
      [runId, row!.row_ref],
    );
    const paymentsBefore = (await paymentsAt(sandbox)).length;
    const seen = await propose(place, 'never_created');
    const resolved = await application.confirmResolution(checker, place, seen);
    expect(resolved).toMatchObject({
      state: 'cancelled',
      errorCode: 'resolved_never_created',
      lookUps: [{ request: 'find', result: 'nothing' }],
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

  test('is valid only for the evidence on which it was proposed', async () => {
    const { application, checker, database } = payrun;
    const row = await anUnknownRow();
    const seen = await propose(row, 'paid');
    await database.query(`update payments set provider_status = 'on_hold' where run_id = $1`, [row.runId]);
    await expect(application.confirmResolution(checker, row, seen)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowAt(row)).toMatchObject({ state: 'unknown', resolutions: [{ state: 'voided' }] });
  });

  test('is void once a read shows the outcome, which the row and its run then follow', async () => {
    const { application, checker, database } = payrun;
    const row = await anUnknownRow();
    const seen = await propose(row, 'failed');
    const observation = { providerPaymentId: row.providerPaymentId, errorCode: null, errorMessage: null };
    await applyProviderStatuses(database, 'default', await beginReading(database), [
      { ...observation, providerStatus: 'processing', state: 'processing' },
    ]);
    expect(await rowAt(row)).toMatchObject({ state: 'unknown', resolutions: [{ state: 'proposed' }] });
    await applyProviderStatuses(database, 'default', await beginReading(database), [
      { ...observation, providerStatus: 'completed', state: 'paid' },
    ]);
    expect(await rowAt(row)).toMatchObject({ state: 'paid', resolutions: [{ state: 'voided' }] });
    expect(await kindsOf(row)).toEqual(['resolution_proposed', 'resolution_voided']);
    await expect(application.confirmResolution(checker, row, seen)).rejects.toMatchObject({ code: 'conflict' });
    // The next sweep, which another run causes, notifies its run.
    await anUnknownRow();
    await until(async () => (await runOf(row)).state === 'completed');
  });

  test('leaves the proposal open if the provider cannot be asked', async () => {
    const { application, checker, sandbox } = payrun;
    const row = await anUnknownRow();
    const seen = await propose(row, 'paid');
    await orderFaults(sandbox, { operation: 'simple-payment-find', kind: 'error_before', times: 100 });
    await expect(application.confirmResolution(checker, row, seen)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rowAt(row)).toMatchObject({ state: 'unknown', resolutions: [{ state: 'proposed' }] });
    await clearFaults(sandbox);
    expect(await application.confirmResolution(checker, row, seen)).toMatchObject({ state: 'paid' });
  });

  test('is only for unknown rows, and only with that row’s own payment', async () => {
    const { application, checker } = payrun;
    const [one, other] = [await anUnknownRow(), await anUnknownRow()];
    const { providerPaymentId } = other;
    await expect(propose(one, 'paid', { providerPaymentId })).rejects.toMatchObject({ code: 'conflict' });
    const seen = await propose(one, 'paid', { providerPaymentId: one.providerPaymentId });
    await expect(application.confirmResolution(checker, other, seen)).rejects.toMatchObject({ code: 'not_found' });
    await application.confirmResolution(checker, one, seen);
    await expect(propose(one, 'failed')).rejects.toMatchObject({ code: 'conflict' });
  });
});
