import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIdOfKey } from '../../application/runs/submission.ts';
import { deleteOldDrafts } from '../../application/payment-file/drafts.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { createPayrunClient, type Draft, FileRefusedError, type PayrunClient } from '../../client/sdk/index.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { instructionsOf } from '../helpers/test-payees.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { newRows, reject, submitRows } from '../helpers/run-under-test.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';

/** The correction of a refused file, through HTTP. */

let payrun: PayrunUnderTest;
let maker: PayrunClient;

const clientOf = (user: TestUser): PayrunClient => createPayrunClient({ url: payrun.serverUrl, token: user.token });

beforeAll(async () => {
  payrun = await startPayrun();
  maker = clientOf(payrun.maker);
  // From here on the provider's reference data is recorded.
  await reject(payrun, await submitRows(payrun, newRows(1)));
});
afterAll(() => payrun.stop());

/** Of five rows, three have no bank country, one has a cell of two lines, and one a wrong amount. */
function aBrokenFile(): Buffer {
  const rows = newRows(5).map((row, index) => ({
    ...row,
    ...(index < 3 ? { bank_country: '' } : {}),
    ...(index === 3 ? { payment_reference: 'two\nlines' } : {}),
    ...(index === 4 ? { amount: '1,000.00' } : {}),
  }));
  return csvOf(rows);
}

const aDraft = (csv: Buffer = aBrokenFile(), client = maker): Promise<Draft> =>
  client.addDraft({ fileName: 'broken.csv', file: csv });

const WAITING = `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and not granted and datname = current_database()`;

async function rowsOf(table: string, draftId: string): Promise<number> {
  const { rows } = await payrun.database.query(`select from ${table} where draft_id = $1`, [draftId]);
  return rows.length;
}

test('a refused file is corrected by cause and by cell, then submitted like any other', async () => {
  const draft = await aDraft();
  expect(draft).toMatchObject({ rowCount: 5, revision: 1, problemRows: 5 });
  const missing = draft.groups.find(({ column }) => column === 'bank_country');
  expect(missing).toMatchObject({ count: 3, firstRow: 2 });
  await expect(maker.submitDraft({ draftId: draft.draftId, revision: 1 })).rejects.toBeInstanceOf(FileRefusedError);

  const filled = await maker.changeDraft({
    draftId: draft.draftId,
    revision: 1,
    fill: [{ column: 'bank_country', value: 'GB', code: missing?.code ?? '' }],
  });
  expect(filled).toMatchObject({ revision: 2, problemRows: 2 });
  const wrong = await maker.listDraftRows({ draftId: draft.draftId });
  expect(wrong).toMatchObject({
    revision: 2,
    total: 2,
    rows: [
      { row: 5, problems: [{ column: 'payment_reference', line: 5 }] },
      { row: 7, problems: [{ column: 'amount', line: 7 }] },
    ],
  });

  const corrected = await maker.changeDraft({
    draftId: draft.draftId,
    revision: 2,
    cells: [
      { row: 5, column: 'payment_reference', value: 'one line' },
      { row: 7, column: 'amount', value: '1000.00' },
    ],
  });
  expect(corrected).toMatchObject({ revision: 3, problemCount: 0, groups: [] });
  const { runId } = await maker.submitDraft({ draftId: draft.draftId, revision: 3 });
  await untilRun(payrun.application, runId, 'in_approval');
  const rows = await instructionsOf(payrun.database, `run_id = $1 and state = 'ready'`, [runId]);
  expect(rows).toHaveLength(5);
  expect(rows.slice(3)).toMatchObject([{ paymentReference: 'one line' }, { amount: '1000.00' }]);
  for (const table of ['drafts', 'draft_files']) expect(await rowsOf(table, draft.draftId)).toBe(0);
  await expect(maker.getDraft({ draftId: draft.draftId })).rejects.toMatchObject({ status: 404 });
  // As after a lost answer: it is the same run, for its maker.
  expect((await maker.submitDraft({ draftId: draft.draftId, revision: 3 })).runId).toBe(runId);
  await expect(maker.submitDraft({ draftId: draft.draftId, revision: 2 })).rejects.toMatchObject({ status: 404 });
});

test('a draft that is corrected while it is submitted stays, and becomes one run', async () => {
  const { draftId } = await aDraft();
  const fixes = [2, 3, 4].map((row) => ({ row, column: 'bank_country', value: 'GB' }));
  const cells = [
    ...fixes,
    { row: 5, column: 'payment_reference', value: 'one' },
    { row: 7, column: 'amount', value: '10.00' },
  ];
  await maker.changeDraft({ draftId, revision: 1, cells });
  const runId = runIdOfKey(payrun.maker.userId, `draft-${draftId}-2`);
  const holder = await payrun.database.connect();
  let submitted: Promise<unknown>;
  try {
    await holder.query('begin');
    // The submission waits for it once it has read the draft, before it stores anything.
    await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [runId]);
    submitted = maker.submitDraft({ draftId, revision: 2 }).catch((error: unknown) => error);
    await expect.poll(async () => (await payrun.database.query(WAITING)).rowCount).toBeGreaterThan(0);
    const last = await maker.changeDraft({
      draftId,
      revision: 2,
      cells: [{ row: 7, column: 'amount', value: '11.00' }],
    });
    expect(last).toMatchObject({ revision: 3, problemCount: 0 });
    await holder.query('commit');
  } finally {
    holder.release();
  }
  expect(await submitted).toMatchObject({ status: 409 });
  expect((await payrun.database.query('select from runs where run_id = $1', [runId])).rowCount).toBe(0);
  const accepted = await maker.submitDraft({ draftId, revision: 3 });
  const { rows } = await payrun.database.query<{ amount: string }>(
    'select amount::text from payments where run_id = $1 order by line desc limit 1',
    [accepted.runId],
  );
  expect(rows).toEqual([{ amount: '11.00' }]);
  expect(await rowsOf('drafts', draftId)).toBe(0);
});

test('a draft does not grow beyond what may be submitted', async () => {
  const draft = await aDraft(csvOf(newRows(450).map((row) => ({ ...row, bank_country: '' }))));
  const change = (revision: number, fill: { column: string; value: string }[]) =>
    maker.changeDraft({ draftId: draft.draftId, revision, fill });
  const filled = ['echo', 'purpose_description', 'bank_name', 'bank_address', 'bank_city'].map((column) => ({
    column,
    value: 'x'.repeat(10_000),
  }));
  await expect(change(1, filled)).rejects.toMatchObject({ status: 400 });
  await expect(change(1, [{ column: 'no column of ours', value: 'x' }])).rejects.toMatchObject({ status: 400 });
  expect(await maker.getDraft({ draftId: draft.draftId })).toMatchObject({ revision: 1, rowCount: 450 });
});

test('a draft belongs to its maker', async () => {
  const { draftId } = await aDraft();
  const other = clientOf(await aUser(payrun.testDatabase, 'Otto Other', 'maker'));
  const attempts = [
    () => other.getDraft({ draftId }),
    () => other.listDraftRows({ draftId }),
    () => other.changeDraft({ draftId, revision: 1, removeRows: [1] }),
    () =>
      other.addDraftFile({
        draftId,
        revision: 1,
        file: { name: 'a.pdf', contentType: 'application/pdf', bytes: new Uint8Array(9) },
      }),
    () => other.submitDraft({ draftId, revision: 1 }),
    () => other.deleteDraft({ draftId }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 404 });
  expect(await other.listDrafts()).toEqual({ drafts: [] });
  await expect(clientOf(payrun.checker).listDrafts()).rejects.toMatchObject({ status: 403 });
  expect(await maker.getDraft({ draftId })).toMatchObject({ revision: 1, rowCount: 5 });
  await maker.deleteDraft({ draftId });
  await expect(maker.getDraft({ draftId })).rejects.toMatchObject({ status: 404 });
});

test('a draft of an account that its maker may no longer use does not exist for them', async () => {
  const user = await aUser(payrun.testDatabase, 'Dana Limited', 'maker');
  const dana = clientOf(user);
  const { draftId } = await aDraft(aBrokenFile(), dana);
  await limitTo(payrun.database, user, 'subsidiary');
  const none = { status: 404 };
  await expect(dana.getDraft({ draftId })).rejects.toMatchObject(none);
  await expect(dana.listDraftRows({ draftId })).rejects.toMatchObject(none);
  await expect(dana.changeDraft({ draftId, revision: 1, removeRows: [1] })).rejects.toMatchObject(none);
  await expect(dana.submitDraft({ draftId, revision: 1 })).rejects.toMatchObject(none);
  expect(await dana.listDrafts()).toEqual({ drafts: [] });
});

test('a change names what it was made on, and rows and columns that are there', async () => {
  const { draftId } = await aDraft();
  await maker.changeDraft({ draftId, revision: 1, removeRows: [2, 3] });
  const removed = { revision: 2, rowCount: 3, removedRows: [2, 3], problemRows: 3 };
  expect(await maker.getDraft({ draftId })).toMatchObject(removed);
  await expect(maker.changeDraft({ draftId, revision: 1, removeRows: [1] })).rejects.toMatchObject({ status: 409 });
  await expect(maker.submitDraft({ draftId, revision: 1 })).rejects.toMatchObject({ status: 409 });
  for (const cell of [
    { row: 3, column: 'amount', value: '1' },
    { row: 6, column: 'amount', value: '1' },
    { row: 4, column: 'no_such_column', value: '1' },
  ]) {
    const changed = maker.changeDraft({ draftId, revision: 2, cells: [cell] });
    await expect(changed).rejects.toMatchObject({ status: 400 });
  }
  const all = await maker.listDraftRows({ draftId, only: 'all', from: 1, limit: 1 });
  expect(all).toMatchObject({ total: 3, rows: [{ row: 5, problems: [{ column: 'payment_reference' }] }] });
});

test('a sheet with other headers is read by its profile, and a column that is missing is added', async () => {
  const rows = newRows(2).map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => column !== 'funding_method')
        .map(([column, cell]) => (column === 'amount' ? ['Betrag', cell.replace('.', ',')] : [column, cell])),
    ),
  );
  const sheet = { fileName: 'theirs.csv', file: csvOf([...rows, { ...blank(rows), Betrag: 'Total' }]) };
  await expect(maker.addDraft(sheet)).rejects.toMatchObject({ status: 400 });
  const { profile, from, leftOut, missingColumns } = await maker.proposeReading(sheet);
  expect({ from, missingColumns }).toEqual({ from: 'proposed', missingColumns: ['funding_method'] });
  expect(leftOut.rows.map(({ line }) => line)).toEqual([4]);
  expect(profile.amountForm).toMatchObject({ decimalSign: ',' });
  const draft = await maker.addDraft({ ...sheet, profile });
  expect(draft).toMatchObject({ rowCount: 2, removedRows: [4] });
  expect(draft.fileProblems).toMatchObject([{ code: 'missing_columns' }]);
  const filled = await maker.changeDraft({
    draftId: draft.draftId,
    revision: 1,
    fill: [{ column: 'funding_method', value: 'PAYNOW' }],
  });
  expect(filled).toMatchObject({ problemCount: 0, revision: 2 });
  expect(filled.fields).toContainEqual(['amount']);
  const { runId, warnings } = await maker.submitDraft({ draftId: draft.draftId, revision: 2 });
  expect(warnings).toContainEqual(expect.objectContaining({ line: 4, code: 'row_left_out' }));
  await untilRun(payrun.application, runId, 'in_approval');
  const { findings } = await clientOf(payrun.checker).getReview({ runId });
  expect(findings).toContainEqual({
    kind: 'file_notes',
    notes: [{ line: 4, problem: expect.stringContaining(leftOut.rows[0]?.because ?? 'a reason') as string }],
    noteCount: 1,
  });
  expect(findings).toContainEqual(
    expect.objectContaining({
      kind: 'check_warning',
      code: 'cell_corrected',
      column: 'funding_method',
      rowCount: 2,
    }),
  );
  const read = await instructionsOf(payrun.database, 'run_id = $1', [runId]);
  expect(read.map(({ amount }) => amount)).toEqual(rows.map(({ Betrag = '' }) => Betrag.replace(',', '.')));
});

const blank = ([row = {}]: readonly Record<string, string>[]): Record<string, string> =>
  Object.fromEntries(Object.keys(row).map((column) => [column, '']));

test('a file that is no table is no draft, nor is one of too many rows', async () => {
  await expect(aDraft(Buffer.from('"open'))).rejects.toMatchObject({ status: 400 });
  const many = Buffer.from(`a,b\n${'1,2\n'.repeat(10_001)}`);
  await expect(aDraft(many)).rejects.toMatchObject({ status: 400 });
});

test('what nobody changes is deleted after a while', async () => {
  const old = await aDraft();
  const young = await aDraft();
  await payrun.database.query(`update drafts set changed_at = now() - interval '8 days' where draft_id = $1`, [
    old.draftId,
  ]);
  const dependencies = { database: payrun.testDatabase.asServer, now: Date.now, settings: {} };
  expect(await deleteOldDrafts(dependencies as unknown as ApplicationDependencies)).toBe(1);
  expect(await rowsOf('drafts', old.draftId)).toBe(0);
  expect(await rowsOf('drafts', young.draftId)).toBe(1);
});

test('nothing of a draft is in the audit trail or in Temporal', async () => {
  const { draftId } = await aDraft();
  const { rows } = await payrun.database.query(`select from audit_entries where detail::text like '%' || $1 || '%'`, [
    draftId,
  ]);
  expect(rows).toEqual([]);
});

test('what the provider requires of the rows of a sheet is to be decided before it is read', async () => {
  const rows = newRows(1).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'bank_sort_code')),
  );
  const { missingColumns } = await maker.proposeReading({ fileName: 'theirs.csv', file: csvOf(rows) });
  expect(missingColumns).toEqual(['bank_sort_code']);
});
