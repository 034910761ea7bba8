import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { endUnfunded } from '../../store/payments/funding-deadline.ts';
import { giveUpStalePayments } from '../../store/payments/stale-payments.ts';
import { applyProviderStatuses } from '../../store/payments/provider-statuses.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { readOpenRuns } from '../../store/runs/open-runs.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { beginRequest, recordAnswer } from '../../store/payments/payment-requests.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readRecentProgress } from '../../store/runs/run-counts.ts';
import { noteBegun } from '../../store/runs/payable-rows.ts';
import { countUnsentPayments } from '../../store/runs/open-payments.ts';
import { listRuns, readRun } from '../../store/runs/runs.ts';
import { readRunStatus } from '../../store/runs/run-transition.ts';
import { countStopped } from '../../store/approvals/stops.ts';
import { refuseRequest } from '../../store/payments/unapproved.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun, aStoredRun, putInto } from './a-stored-run.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

const TODAY = '2026-01-31';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ({ database } = testDatabase);
});
afterAll(() => testDatabase.drop());

/** Differences between the maintained counts and a count of the rows, read in one statement. */
async function differences(): Promise<unknown[]> {
  const { rows } = await database.query<{ state: string }>(
    `select * from (
       select run_id, state, workflow_begun_at is not null as is_begun, funded_at is not null as is_funded, count(*) as rows
       from payments group by 1, 2, 3, 4
     ) as there full join (
       select run_id, state, is_begun, is_funded, sum(rows) as counted from run_counts group by 1, 2, 3, 4 having sum(rows) <> 0
     ) as kept using (run_id, state, is_begun, is_funded) where rows is distinct from counted`,
  );
  return rows;
}

/** Actions that change rows; numbers select rows and states. */
const step = fc.record({
  kind: fc.constantFrom('put', 'transition', 'answer', 'see', 'begin', 'give up', 'end', 'refuse', 'undo', 'fold'),
  which: fc.nat(39),
  to: fc.constantFrom(...PAYMENT_STATES),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One transaction each, as the worker if it has the rights. */
async function take(payments: readonly string[], { kind, which, to }: Step): Promise<unknown> {
  const { asWorker } = testDatabase;
  const paymentId = payments[which] ?? '';
  const transition = { paymentId, to, kind: 'held', update: {} } as const;
  switch (kind) {
    case 'put':
      return putInto(database, paymentId, to, { providerPaymentId: paymentId });
    case 'transition':
      return transitionPayment(asWorker, transition);
    case 'answer':
      return answer(paymentId);
    case 'see': {
      const observation = { providerStatus: 'seen', state: to, errorCode: null, errorMessage: null };
      const seen = payments.slice(which, which + 5).map((providerPaymentId) => ({ providerPaymentId, ...observation }));
      return applyProviderStatuses(asWorker, ACCOUNT, await beginReading(asWorker), seen);
    }
    case 'begin':
      return noteBegun(asWorker, payments.slice(which, which + 10));
    case 'give up':
      return giveUpStalePayments(asWorker, ACCOUNT, 0);
    case 'end':
      return endUnfunded(asWorker, ACCOUNT, { ageLimitMs: 0, at: new Date(TODAY) });
    case 'refuse':
      return refuseRequest(asWorker, { paymentId, operation: 'create', error_code: 'step_failed', error_message: 'm' });
    case 'undo':
      return inTransaction(asWorker, async (transaction) => {
        await transitionPayment(transaction, transition);
        await noteBegun(transaction, payments.slice(which, which + 3));
        throw new Error('undone');
      }).catch(unless('undone'));
    default:
      return database.query('select fold_counts(run_id) from payments where payment_id = $1', [paymentId]);
  }
}

async function answer(paymentId: string): Promise<void> {
  const { asWorker } = testDatabase;
  const request = {
    paymentId,
    operation: 'quote',
    whileIn: ['ready'],
    at: new Date(TODAY),
    dataKeys: TEST_KEY_IDS,
  } as const;
  const { requestId } = await beginRequest(asWorker, request);
  if (requestId === null) return;
  const transition = { to: 'quoted', update: { quoted_at: new Date() } } as const;
  await recordAnswer(asWorker, {
    ...{ requestId, operation: 'quote', outcome: 'took_effect', answer: 'as_asked', httpStatus: 200, transition },
  });
}

function unless(...messages: string[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Error) || !messages.some((message) => error.message.includes(message))) throw error;
  };
}

/** Ignores the errors of rolled-back actions: a deadlock, or a change that the database refuses. */
const unlessUndone = unless(
  'deadlock detected',
  'released by people alone',
  'returned once the history shows its money',
);

describe('the maintained row counts of a run', () => {
  test('always equal a count of the rows, whatever changes them at the same time', async () => {
    const lanes = fc.array(fc.array(step, { minLength: 5, maxLength: 25 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lanes, async (planned) => {
        const runs = [await anApprovedRun(database, 20), await anApprovedRun(database, 20)];
        const payments = runs.flatMap(({ paymentIds }) => paymentIds);
        const over = new AbortController();
        const looking = (async () => {
          while (!over.signal.aborted) expect(await differences()).toEqual([]);
        })();
        const moving = planned.map(async (steps) => {
          for (const next of steps) await take(payments, next).catch(unlessUndone);
        });
        await Promise.all([looking, Promise.all(moving).finally(() => over.abort())]);
        expect(await differences()).toEqual([]);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  test('follow when rows are deleted', async () => {
    const { paymentIds } = await aStoredRun(database, 3);
    await database.query('delete from payments where payment_id = any($1)', [paymentIds.slice(1)]);
    expect(await differences()).toEqual([]);
  });

  test('stay a few lines, however often rows change', async () => {
    const { runId } = await anApprovedRun(database, 2);
    await bypassTriggers(
      database,
      `do $$ begin
         for n in 1..1000 loop
           update payments set state = case when n % 2 = 1 then 'quoted' else 'ready' end where run_id = '${runId}';
         end loop;
       end $$`,
    );
    const { rows } = await database.query<{ lines: number }>(
      'select count(*)::int as lines from run_counts where run_id = $1',
      [runId],
    );
    // Of 2,000: one change in fifty is followed by a fold.
    expect(rows[0]?.lines).toBeLessThan(1_000);
    expect(await differences()).toEqual([]);
  });

  test('do not block changes of other rows of the same run', async () => {
    const { paymentIds } = await anApprovedRun(database, 2);
    const [first = '', second = ''] = paymentIds;
    const transition = { to: 'held', kind: 'held', update: {} } as const;
    await inTransaction(testDatabase.asWorker, async (transaction) => {
      await transitionPayment(transaction, { ...transition, paymentId: first });
      // In a transaction of its own, which ends while the first is open.
      expect(await transitionPayment(testDatabase.asWorker, { ...transition, paymentId: second })).toBe('held');
    });
  });

  test.each(['serverUrl', 'workerUrl'] as const)('cannot be written by the login of %s', async (login) => {
    const { runId } = await aStoredRun(database);
    for (const statement of [
      `update run_counts set rows = 0 where run_id = '${runId}'`,
      `delete from run_counts where run_id = '${runId}'`,
      `insert into run_counts (run_id, state, is_begun, is_funded, rows, progressed, span_began_at)
       values ('${runId}', 'paid', true, true, 1, 1, now())`,
      `select fold_counts('${runId}')`,
    ]) {
      await expect(onServer(testDatabase[login], statement)).rejects.toThrow('permission denied');
    }
  });
});

describe('watching runs', () => {
  /** Scans of the rows' table and its indexes by this session's transaction. */
  const looksDuring = (work: (transaction: Parameters<typeof readRun>[0]) => Promise<unknown>): Promise<number> =>
    inTransaction(database, async (transaction) => {
      const looks = async (): Promise<number> => {
        const { rows } = await transaction.query<{ looks: number }>(
          `select seq_scan + coalesce(idx_scan, 0) as looks from pg_stat_xact_user_tables where relname = 'payments'`,
        );
        return rows[0]?.looks ?? 0;
      };
      const before = await looks();
      await work(transaction);
      return (await looks()) - before;
    });

  test.each<[string, Parameters<typeof looksDuring>[0]]>([
    ['the list of runs', (at) => listRuns(at, null, { limit: 10, before: null })],
    ['a run', async (at) => readRun(at, await aRunId())],
    ['the progress', async (at) => readRecentProgress(at, await aRunId(), 30)],
    ['what its workflow asks', async (at) => readRunStatus(at, await aRunId())],
    ['its unsent payments', async (at) => countUnsentPayments(at, await aRunId())],
    ['the runs that are open', (at) => readOpenRuns(at)],
  ])('reads %s without reading the rows', async (_what, read) => {
    await anApprovedRun(database, 2);
    expect(await looksDuring(read)).toBe(0);
  });

  test('would show a read of the rows', async () => {
    expect(await looksDuring((at) => at.query('select count(*) from payments'))).toBeGreaterThan(0);
  });

  async function aRunId(): Promise<string> {
    const { rows } = await database.query<{ run_id: string }>('select run_id from runs limit 1');
    return rows[0]?.run_id ?? '';
  }

  test('shows how many payments were funded lately, or ended unfunded, each once', async () => {
    const { runId, paymentIds } = await anApprovedRun(database, 3);
    const [paid = '', failed = ''] = paymentIds;
    const { asWorker } = testDatabase;
    const move = (paymentId: string, to: 'processing' | 'paid' | 'rejected', update: object) =>
      transitionPayment(asWorker, { paymentId, to, kind: 'held', update });
    await putInto(database, paid, 'created');
    await database.query('update payments set funded_at = null where run_id = $1', [runId]);
    const before = (await readRecentProgress(database, runId, 30)).moved;
    await move(paid, 'processing', { funded_at: new Date() });
    await move(paid, 'paid', { ended_at: new Date() });
    await move(failed, 'rejected', { ended_at: new Date() });
    const recent = await readRecentProgress(database, runId, 30);
    expect(recent.moved - before).toBe(2);
    expect(recent.seconds).toBeGreaterThanOrEqual(30);
    expect(recent.seconds).toBeLessThan(36);
  });

  test('shows what a stop means for the rows, with open requests apart', async () => {
    const { runId, paymentIds } = await anApprovedRun(database, 5);
    const [sent = '', created = '', held = '', open = ''] = paymentIds;
    await putInto(database, sent, 'paid');
    await putInto(database, held, 'held');
    for (const paymentId of [created, open]) {
      await putInto(database, paymentId, 'created');
    }
    await database.query(`update payments set funded_at = null where run_id = $1 and state <> 'paid'`, [runId]);
    const request = {
      paymentId: open,
      operation: 'fund',
      whileIn: ['created'],
      at: new Date(TODAY),
      dataKeys: TEST_KEY_IDS,
    } as const;
    expect((await beginRequest(testDatabase.asWorker, request)).requestId).not.toBeNull();
    expect(await countStopped(testDatabase.asServer, runId)).toEqual({ sent: 1, created: 1, notSent: 2, underWay: 1 });
  });
});
