import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startForgottenRuns } from '../../application/runs/start-run.ts';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { paymentIdOf } from '../../domain/payments/payment-identity.ts';
import { rowsToStore } from '../helpers/rows-to-store.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { instructionsOf, payeesIn } from '../helpers/test-payees.ts';
import { addRun } from '../../store/runs/add-run.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import {
  approve,
  beginRun,
  linesOf,
  newRows,
  reject,
  submitFile,
  submitRows,
  textOf,
  untilPaid,
} from '../helpers/run-under-test.ts';
import { aUser } from '../helpers/users.ts';
import { clearFaults, expectAllFaultsApplied, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';
import { TEST_CALENDARS } from '../helpers/test-calendars.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
  // From here on the provider's reference data is recorded.
  const runId = await submitRows(payrun, newRows(1));
  await reject(payrun, runId);
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

/** The number of rows in each table. */
async function countTables(): Promise<Record<string, number>> {
  const { rows: tables } = await payrun.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await payrun.database.query<{ n: number }>(`select count(*) as n from ${name}`);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

describe('a file', () => {
  test('with errors is refused with every problem in the order of its lines, and leaves only an audit entry', async () => {
    const before = await countTables();
    const [good, badAmount, badPurpose, badTwice] = newRows(4);
    const outcome = await submitFile(
      payrun,
      csvOf([
        { ...good },
        { ...badAmount, amount: '1e3' },
        { ...badPurpose, purpose_of_transfer: 'NONE' },
        { ...badTwice, row_ref: good?.row_ref ?? '', amount: '1,000.00', bank_sort_code: '12' },
      ]),
    );
    const problems = outcome.kind === 'refused' ? outcome.problems : [];
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'row_ref'],
      [3, 'amount'],
      [4, 'purpose_of_transfer'],
      [5, 'row_ref'],
      [5, 'amount'],
      [5, 'bank_sort_code'],
    ]);
    expect(problems.filter(({ fix }) => fix === '')).toEqual([]);
    const after = await countTables();
    expect(after).toEqual({ ...before, audit_entries: (before['audit_entries'] ?? 0) + 1 });
    const { rows } = await payrun.database.query<{ kind: string; detail: unknown }>(
      'select kind, detail from audit_entries order by entry_id desc limit 1',
    );
    expect(rows[0]?.kind).toBe('file_refused');
    expect(JSON.stringify(rows[0]?.detail)).not.toContain('Supplier');
  });

  test('that is not valid CSV is refused with the one problem that stops the parser', async () => {
    const before = await countTables();
    const outcome = await submitFile(payrun, Buffer.from('row_ref,amount\n"never closed,1.00\n'));
    expect(outcome.kind === 'refused' && outcome.problems).toHaveLength(1);
    expect(await countTables()).toEqual({ ...before, audit_entries: (before['audit_entries'] ?? 0) + 1 });
  });

  test('may be paid without its invalid rows, which keep their place in results and exceptions', async () => {
    const [first, broken, second, brokenToo] = newRows(4);
    const rows = [first!, { ...broken!, amount: '' }, second!, { ...brokenToo!, row_ref: first!.row_ref }];
    const runId = await beginRun(payrun, rows, { onInvalid: 'skip' });
    expect(await untilPaid(payrun, runId)).toMatchObject({
      state: 'partially_completed',
      rows: { invalid: 3, paid: 1 },
    });
    const results = await linesOf(payrun.application.results(runId));
    expect(results.slice(1).map((line) => line.split(',').slice(0, 3))).toEqual([
      ['2', first?.row_ref, 'invalid'],
      ['3', broken?.row_ref, 'invalid'],
      ['4', second?.row_ref, 'paid'],
      ['5', first?.row_ref, 'invalid'],
    ]);
    const exceptions = await linesOf(payrun.application.exceptions(runId));
    expect(exceptions.slice(1).map((line) => /,(invalid),"?([a-z_]+): /.exec(line)?.slice(1))).toEqual([
      ['invalid', 'row_ref'],
      ['invalid', 'amount'],
      ['invalid', 'row_ref'],
    ]);
  });

  test('of exceptions is accepted once its rows are corrected', async () => {
    const [row] = newRows(1, { amount: '310.13' });
    const runId = await beginRun(payrun, [{ ...row }]);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ rejected: 1 });
    const fixed = (await textOf(payrun.application.exceptions(runId))).replace('310.13', '310.00');
    const outcome = await submitFile(payrun, Buffer.from(fixed));
    const again = outcome.kind === 'accepted' ? outcome.runId : '';
    await untilRun(payrun.application, again, 'in_approval');
    await approve(payrun, again);
    expect((await untilPaid(payrun, again)).rows).toEqual({ paid: 1 });
    await expectPaidOnce(payrun, again);
  });
});

describe('supporting files', () => {
  const pdf = (content: string) => ({ bytes: Buffer.from(`%PDF-1.4 ${content}`) });

  test('are stored with the type of their content, and refused if their name says another', async () => {
    const [row] = newRows(1, { supporting_files: 'scan.png' });
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const refused = await submitFile(payrun, csvOf([{ ...row }]), { files: [{ name: 'scan.png', ...pdf('x') }] });
    expect(refused.kind === 'refused' && refused.problems.map(({ line, code }) => [line, code])).toEqual([
      [2, 'file_content'],
    ]);
    const runId = await submitRows(payrun, [{ ...row }], {
      files: [{ name: 'scan.png', bytes: png }],
    });
    const { rows: kept } = await payrun.database.query('select content_type from supporting_files where run_id = $1', [
      runId,
    ]);
    expect(kept).toEqual([{ content_type: 'image/png' }]);
    await reject(payrun, runId);
  });

  test('trap 31: are uploaded without credentials, before their payment is quoted and created', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'simple-payment-get-upload-url', kind: 'error_after' },
      { operation: 'simple-payment-upload-file', kind: 'reset_before' },
    );
    // The sandbox pays amounts that end in 15 only with documents.
    const [withFiles] = newRows(1, { amount: '500.15', supporting_files: 'invoice.pdf;contract.pdf' });
    const [without] = newRows(1, { amount: '501.15' });
    const runId = await beginRun(payrun, [{ ...withFiles }, { ...without }], {
      files: [
        { name: 'invoice.pdf', ...pdf('invoice') },
        { name: 'contract.pdf', ...pdf('contract') },
        { name: 'named-by-nobody.pdf', ...pdf('stray') },
      ],
    });
    const run = await untilPaid(payrun, runId);
    await expectAllFaultsApplied(payrun.sandbox);
    expect(run.rows).toEqual({ paid: 1, held: 1 });
    const [, held] = await payrun.application.listRows(runId, { limit: 10, afterLine: 0, state: null });
    expect(held).toMatchObject({ state: 'held', errorCode: 'documents_required' });
    expect(payrun.sandbox.ledger()).toMatchObject({ credentialLeaks: 0, invariantHolds: true });
    const { rows: kept } = await payrun.database.query(
      'select name from supporting_files where run_id = $1 order by name',
      [runId],
    );
    expect(kept).toEqual([{ name: 'contract.pdf' }, { name: 'invoice.pdf' }]);
    // A creation whose answer came too late for a busy machine is resolved by what the provider shows.
    const { rows: trail } = await payrun.database.query<{ kind: string }>(
      `select kind from audit_entries where run_id = $1
         and kind in ('file_uploaded', 'quote_requested', 'create_took_effect', 'create_resolved')
         and payment_id = (select payment_id from payments where run_id = $1 and state = 'paid') order by entry_id`,
      [runId],
    );
    const kinds = trail.map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(['file_uploaded', 'file_uploaded', 'quote_requested']);
    expect(kinds.at(-1)).toMatch(/^create_(took_effect|resolved)$/);
  });
});

describe('a run that was stored and never started', () => {
  test('is started by the next server, once', async () => {
    const runId = await storeWithoutStarting();
    const dependencies = {
      database: payrun.testDatabase.asServer,
      temporal: payrun.temporal,
      ...{ dataKeys: TEST_DATA_KEYS, calendars: TEST_CALENDARS, now: Date.now },
      accounts: [{ name: 'default', requestsPerSecond: 0, requestsPerDay: 0, requestsReservedPerDay: 0 }],
      settings: {
        decisionWithinMs: 60_000,
        concurrencyLimitOf: () => 10,
        documentRequirements: [],
        unansweredSignUpMs: 0,
        referenceMaxAgeMs: 60_000,
        referenceTimeoutMs: 10_000,
      },
    };
    // A run stored just now may be about to be started by the server that stored it.
    expect(await startForgottenRuns(dependencies)).toBe(0);
    await payrun.database.query(`update runs set submitted_at = now() - interval '1 minute' where run_id = $1`, [
      runId,
    ]);
    await Promise.all([startForgottenRuns(dependencies), startForgottenRuns(dependencies)]);
    await untilRun(payrun.application, runId, 'in_approval');
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
    await expectPaidOnce(payrun, runId);
  });

  /** Leaves the database as after a crash between storing a run and starting it. */
  async function storeWithoutStarting(): Promise<string> {
    const model = await submitRows(payrun, newRows(1));
    const [given] = await instructionsOf(payrun.database, 'run_id = $1', [model]);
    await reject(payrun, model);
    if (given === undefined) throw new Error('the model has no instruction');
    const instruction = { ...given, rowRef: 'forgotten' };
    const runId = randomUUID();
    const key = (await payeesIn(payrun.testDatabase.asServer)).newRunKey(runId);
    await addRun(payrun.testDatabase.asServer, payrun.maker.tokenHash, {
      key,
      account: 'default',
      fileName: 'forgotten.csv',
      fileSha256: '0'.repeat(64),
      header: { names: ['row_ref'], hasByteOrderMark: false, sheetName: null },
      ...{ submissionSha256: null, decideWithinMs: 86_400_000 },
      ...rowsToStore(key, [
        {
          paymentId: paymentIdOf(runId, instruction.rowRef),
          rowNumber: 1,
          line: 2,
          rowRef: instruction.rowRef,
          state: 'ready',
          cells: ['forgotten'],
          instruction,
          errorCode: null,
          problems: null,
        },
      ]),
    });
    return runId;
  }
});

describe('a submission with an Idempotency-Key', () => {
  const runsOf = async (fileName: string): Promise<number> => {
    const { rows } = await payrun.database.query<{ n: number }>(
      'select count(*)::int as n from runs where file_name = $1',
      [fileName],
    );
    return rows[0]?.n ?? 0;
  };

  test('creates one run however often it is sent, also concurrently, and also after a failed start', async () => {
    const fileName = `${randomUUID()}.csv`;
    const parts = { fileName, idempotencyKey: randomUUID() };
    const csv = csvOf(newRows(1));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => submitFile(payrun, csv, parts)));
    const runIds = new Set(outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.runId : outcome.kind)));
    expect([runIds.size, await runsOf(fileName)]).toEqual([1, 1]);
    const [runId = ''] = runIds;
    await untilRun(payrun.application, runId, 'in_approval');
    await payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId)).terminate();
    expect(await submitFile(payrun, csv, parts)).toMatchObject({ kind: 'accepted', runId });
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
    expect(await submitFile(payrun, csv, parts)).toMatchObject({ kind: 'accepted', runId });
    await expectPaidOnce(payrun, runId);
  });

  test('is refused if the content differs, and creates another run for another user or key', async () => {
    const fileName = `${randomUUID()}.csv`;
    const [key, csv] = [randomUUID(), csvOf(newRows(1))];
    const first = await submitFile(payrun, csv, { fileName, idempotencyKey: key });
    const others = [
      { file: csvOf(newRows(1)) },
      { profile: ownFormatProfile(Object.keys(newRows(1)[0] ?? {}), { echo: 'x' }) },
      { onInvalid: 'skip' as const },
    ];
    for (const other of others) {
      await expect(submitFile(payrun, csv, { fileName, idempotencyKey: key, ...other })).rejects.toMatchObject({
        code: 'conflict',
        details: { runId: first.kind === 'accepted' ? first.runId : null },
      });
    }
    expect(await runsOf(fileName)).toBe(1);
    await submitFile(payrun, csv, { fileName, idempotencyKey: `${key}-2` });
    const both = await aUser(payrun.testDatabase, 'Max Maker', 'maker');
    await submitFile({ ...payrun, maker: both }, csv, { fileName, idempotencyKey: key });
    expect(await runsOf(fileName)).toBe(3);
  });
});
