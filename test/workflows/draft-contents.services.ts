import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import { createPayrunClient, type Draft, type PayrunClient } from '../../client/sdk/index.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import * as stored from '../../store/payment-file/drafts.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { sheetOf } from '../application/sheets/make-workbook.ts';
import { newRows, reject, submitRows } from '../helpers/run-under-test.ts';

/** What a draft is submitted without, and with: removed rows, rows with problems, and supporting files, through HTTP. */

let payrun: PayrunUnderTest;
let maker: PayrunClient;

beforeAll(async () => {
  payrun = await startPayrun();
  maker = createPayrunClient({ url: payrun.serverUrl, token: payrun.maker.token });
  // From here on the provider's reference data is recorded.
  await reject(payrun, await submitRows(payrun, newRows(1)));
});
afterAll(() => payrun.stop());

const aDraft = (rows: ReturnType<typeof newRows>): Promise<Draft> =>
  maker.addDraft({ fileName: 'draft.csv', file: csvOf(rows) });

const placeOf = ({ fields }: Draft, column: string): number => fields.findIndex((filled) => filled.includes(column));

/** The second has no bank country. */
const threeRows = () => newRows(3).map((row, index) => (index === 1 ? { ...row, bank_country: '' } : row));

const aPdf = (name: string) => ({
  ...{ name, contentType: 'application/pdf', bytes: new TextEncoder().encode('%PDF-1.7\n%%EOF\n') },
});

test('removed rows stay in the draft, are in no run, and can be put back', async () => {
  const draft = await aDraft(newRows(3));
  const { draftId } = draft;
  await maker.changeDraft({ draftId, revision: 1, removeRows: [2, 4] });
  expect(await maker.listDraftRows({ draftId, only: 'removed' })).toMatchObject({
    total: 2,
    rows: [{ row: 2 }, { row: 4 }],
  });
  expect(await maker.changeDraft({ draftId, revision: 2, restoreRows: [4] })).toMatchObject({
    ...{ rowCount: 2, removedRows: [2], problemCount: 0 },
  });
  const kept = (await maker.listDraftRows({ draftId, only: 'all' })).rows.map(
    ({ cells }) => cells[placeOf(draft, 'row_ref')],
  );
  const { runId } = await maker.submitDraft({ draftId, revision: 3 });
  const { rows } = await payrun.database.query<{ row_ref: string }>(
    'select row_ref from payments where run_id = $1 order by line',
    [runId],
  );
  expect(rows.map(({ row_ref: ref }) => ref)).toEqual(kept);
  expect((await payrun.database.query('select from drafts where draft_id = $1', [draftId])).rows).toEqual([]);
});

test('a draft is submitted without the rows that its maker was shown as wrong, which stay in the run as invalid', async () => {
  const draft = await aDraft(threeRows());
  const [row] = (await maker.listDraftRows({ draftId: draft.draftId })).rows;
  const cellOf = (column: string): string => row?.cells[placeOf(draft, column)] ?? '';
  const currency = cellOf(`${cellOf('amount_side')}_currency`);
  expect(draft.leftOut).toEqual({ rows: 1, sums: [{ currency, amount: cellOf('amount') }], unreadable: 0 });
  const { runId } = await maker.submitDraft({ draftId: draft.draftId, revision: 1, onInvalid: 'skip' });
  const { rows } = await payrun.database.query('select state from payments where run_id = $1 order by line', [runId]);
  expect(rows.map(({ state }) => state as string)).toEqual(['ready', 'invalid', 'ready']);
  expect((await maker.submitDraft({ draftId: draft.draftId, revision: 1, onInvalid: 'skip' })).runId).toBe(runId);
});

test('a small workbook whose cells all name one long text is refused before it is a draft', async () => {
  const names = Object.keys(newRows(1)[0] ?? {});
  const row = (cells: string[]) => `<row>${cells.join('')}</row>`;
  const headers = row(names.map((name) => `<c t="str"><v>${name}</v></c>`));
  const file = sheetOf(headers + row(names.map(() => '<c t="s"><v>0</v></c>')).repeat(500), {
    strings: `<si><t>${'a'.repeat(9_000)}</t></si>`,
  });
  await expect(maker.addDraft({ fileName: 'large.xlsx', file })).rejects.toThrow(
    /more than 20971520 characters in all/,
  );
});

/** As if this row had been the wrong one when the draft was checked. */
async function asIfWrongHadBeen(draftId: string, row: number): Promise<void> {
  const { asServer } = payrun.testDatabase;
  const payees = await payeesIn(asServer);
  const seen = { draftId, makerId: payrun.maker.userId, revision: 1 };
  const draft = await stored.findDraft(asServer, payees, seen.makerId, draftId);
  if (draft === null) throw new Error('the draft is gone');
  const found = { ...draft.found, problems: draft.found.problems.map((problem) => ({ ...problem, row })) };
  const content = { ...draft, ...(await stored.readDraftRows(asServer, payees, draftId)), found };
  await stored.changeDraft(asServer, payees, seen, { ...content, removedFiles: [], addedFile: null });
}

test('a draft is not submitted without rows that its maker was not shown as wrong: the draft says so first', async () => {
  const { draftId } = await aDraft(threeRows());
  await asIfWrongHadBeen(draftId, 4);
  await expect(maker.submitDraft({ draftId, revision: 2, onInvalid: 'skip' })).rejects.toMatchObject({ status: 409 });
  expect(await maker.getDraft({ draftId })).toMatchObject({ revision: 3, groups: [{ firstRow: 3 }] });
  // Where none is wrong, none is left out.
  const whole = await aDraft(newRows(1));
  const { runId } = await maker.submitDraft({ draftId: whole.draftId, revision: 1, onInvalid: 'skip' });
  const { rows } = await payrun.database.query('select state from payments where run_id = $1', [runId]);
  expect(rows).toEqual([{ state: 'ready' }]);
});

test('a draft that cannot be read is listed as such, beside the others, and can be deleted', async () => {
  const [broken, whole] = [await aDraft(threeRows()), await aDraft(newRows(1))];
  await payrun.database.query(`update drafts set terms = 'damaged' where draft_id = $1`, [broken.draftId]);
  const { drafts } = await maker.listDrafts();
  const { fileName } = broken;
  expect(drafts).toContainEqual(
    expect.objectContaining({ draftId: broken.draftId, fileName, rowCount: 3, problemCount: null }),
  );
  expect(drafts).toContainEqual(expect.objectContaining({ draftId: whole.draftId, problemCount: 0 }));
  await maker.deleteDraft({ draftId: broken.draftId });
  expect((await maker.listDrafts()).drafts).toContainEqual(expect.objectContaining({ draftId: whole.draftId }));
});

test('supporting files are added to a draft, each once, and removed', async () => {
  const [row] = newRows(1);
  const draft = await maker.addDraft({
    ...{ fileName: 'without-file.csv', file: csvOf([{ ...row, supporting_files: 'invoice.pdf' }]) },
  });
  const { draftId } = draft;
  expect(draft).toMatchObject({ files: [], problemRows: 1 });
  const file = aPdf('invoice.pdf');
  const added = await maker.addDraftFile({ draftId, revision: 1, file });
  expect(added).toMatchObject({ files: ['invoice.pdf'], problemCount: 0, revision: 2 });
  await expect(maker.addDraftFile({ draftId, revision: 1, file: aPdf('other.pdf') })).rejects.toMatchObject({
    status: 409,
  });
  await expect(maker.addDraftFile({ draftId, revision: 2, file })).rejects.toMatchObject({ status: 400 });
  const tooLarge = { ...aPdf('large.pdf'), bytes: new Uint8Array(FILE_LIMIT_BYTES + 1) };
  await expect(maker.addDraftFile({ draftId, revision: 2, file: tooLarge })).rejects.toMatchObject({ status: 413 });
  const without = await maker.changeDraft({ draftId, revision: 2, removeFiles: ['invoice.pdf'] });
  expect(without).toMatchObject({ files: [], problemRows: 1, revision: 3 });
  const again = maker.changeDraft({ draftId, revision: 3, removeFiles: ['invoice.pdf'] });
  await expect(again).rejects.toMatchObject({ status: 400 });
  await maker.addDraftFile({ draftId, revision: 3, file });
  const { runId } = await maker.submitDraft({ draftId, revision: 4 });
  expect((await maker.listFiles({ runId })).files.map(({ name }) => name)).toEqual(['invoice.pdf']);
});

test('supporting files of a draft are submitted with it', async () => {
  const [row] = newRows(1);
  const csv = csvOf([{ ...row, supporting_files: 'invoice.pdf', bank_country: '' }]);
  const draft = await maker.addDraft({ fileName: 'with-file.csv', file: csv, files: [aPdf('invoice.pdf')] });
  expect(draft.files).toEqual(['invoice.pdf']);
  const fill = [{ column: 'bank_country', value: 'GB' }];
  expect(await maker.changeDraft({ draftId: draft.draftId, revision: 1, fill })).toMatchObject({ problemCount: 0 });
  const { runId } = await maker.submitDraft({ draftId: draft.draftId, revision: 2 });
  expect((await maker.listFiles({ runId })).files.map(({ name }) => name)).toEqual(['invoice.pdf']);
});
