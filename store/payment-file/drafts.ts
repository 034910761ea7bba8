import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { FILE_KIND_BYTES, fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';

/** Payment files that their makers correct. Each statement names the maker: nobody else finds a draft. */

/** A problem with the number of its row, from 1; null: it is of no row. */
export interface DraftProblem extends RowProblem {
  row: number | null;
}

/** A row with its number in the sheet as it came, as the person's program shows it. */
export interface NumberedRow {
  row: number;
  cells: string[];
}

/** One that is not submitted, and why. */
export interface RemovedRow extends NumberedRow {
  because: string;
}

/** A cell that was corrected in the draft. `was`: what the sheet says there; empty where it has no such column. */
export interface CorrectedCell {
  row: number;
  column: string;
  was: string;
}

/** What rows with problems come to, all together. */
export interface LeftOutAmounts {
  rows: number;
  sums: { currency: string; amount: string }[];
  /** Rows whose amount or currency cannot be read. */
  unreadable: number;
}

export interface DraftFindings {
  /** Null: rows with problems cannot be left out. */
  leftOut: LeftOutAmounts | null;
  problems: DraftProblem[];
  problemCount: number;
  warnings: DraftProblem[];
  warningCount: number;
}

export interface DraftRecord {
  draftId: string;
  account: string;
  fileName: string;
  columns: string[];
  profile: Profile;
  notes: RowProblem[];
  revision: number;
  found: DraftFindings;
  rowCount: number;
  /** Numbers of the rows that were removed, in order. */
  removedRows: number[];
  files: string[];
  createdAt: Date;
  changedAt: Date;
}

export interface NewDraft {
  draftId: string;
  makerId: string;
  account: string;
  fileName: string;
  columns: readonly string[];
  profile: Profile;
  notes: RowProblem[];
  found: DraftFindings;
  rows: readonly NumberedRow[];
  /** What is proposed to be left out. */
  removed: readonly RemovedRow[];
  corrected: readonly CorrectedCell[];
  /** Taken one by one. */
  files: AsyncIterable<{ name: string; content: Uint8Array }>;
}

/** What of a draft is encrypted together. */
type Terms = Pick<DraftRecord, 'profile' | 'notes' | 'found'>;
interface Rows {
  rows: NumberedRow[];
  removed: RemovedRow[];
  corrected: CorrectedCell[];
}

const DRAFT = `select draft_id as "draftId", account, file_name as "fileName", columns, terms, revision, row_count as "rowCount",
    removed_rows as "removedRows",
    (select coalesce(jsonb_agg(name order by name), '[]') from draft_files where draft_files.draft_id = drafts.draft_id) as files,
    created_at as "createdAt", changed_at as "changedAt"
  from drafts`;

type StoredDraft = Omit<DraftRecord, keyof Terms> & { terms: Buffer };

function opened(payees: PayeeData, { terms, ...draft }: StoredDraft): DraftRecord {
  return { ...draft, ...(JSON.parse(payees.decryptOfDraft(draft.draftId, 'terms', terms).toString()) as Terms) };
}

const encryptedJson = (
  payees: PayeeData,
  draftId: string,
  part: string,
  content: Terms | { [Part in keyof Rows]: Readonly<Rows[Part]> },
): Buffer => payees.encryptOfDraft(draftId, part, Buffer.from(JSON.stringify(content)));

/** The columns that a change replaces: $2 and following, after the draft's id. */
function contentOf(
  payees: PayeeData,
  draftId: string,
  { columns, profile, notes, found, rows, removed, corrected }: Omit<ChangedDraft, 'removedFiles' | 'addedFile'>,
): unknown[] {
  return [
    ...[JSON.stringify(columns), encryptedJson(payees, draftId, 'terms', { profile, notes, found })],
    ...[encryptedJson(payees, draftId, 'rows', { rows, removed, corrected }), rows.length],
    removed.map(({ row }) => row),
  ];
}

export async function addDraft(database: Database, payees: PayeeData, draft: NewDraft): Promise<void> {
  const { draftId, makerId, account, fileName } = draft;
  await inTransaction(database, async (transaction) => {
    await transaction.query(
      `insert into drafts (draft_id, columns, terms, rows, row_count, removed_rows, made_by, account, file_name)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [draftId, ...contentOf(payees, draftId, draft), makerId, account, fileName],
    );
    for await (const file of draft.files) await addFile(transaction, payees, draftId, file);
  });
}

interface NewDraftFile {
  name: string;
  content: Uint8Array;
}

async function addFile(
  transaction: Queryable,
  payees: PayeeData,
  draftId: string,
  { name, content }: NewDraftFile,
): Promise<void> {
  await transaction.query(
    'insert into draft_files (draft_id, name, size_bytes, kind, content) values ($1, $2, $3, $4, $5)',
    [
      ...[draftId, name, content.byteLength, JSON.stringify(fileKindOf(content.subarray(0, FILE_KIND_BYTES)))],
      payees.encryptOfDraft(draftId, `file ${name}`, content),
    ],
  );
}

export async function findDraft(
  database: Queryable,
  payees: PayeeData,
  makerId: string,
  draftId: string,
): Promise<DraftRecord | null> {
  // guard: draft-of-its-maker
  const { rows } = await database.query<StoredDraft>(`${DRAFT} where draft_id = $1 and made_by = $2`, [
    draftId,
    makerId,
  ]);
  return rows[0] === undefined ? null : opened(payees, rows[0]);
}

export async function countDrafts(database: Queryable, makerId: string): Promise<number> {
  const { rows } = await database.query<{ drafts: number }>(
    'select count(*)::int as drafts from drafts where made_by = $1',
    [makerId],
  );
  return rows[0]?.drafts ?? 0;
}

/** Of a draft in a list. */
export interface ListedDraft extends Pick<DraftRecord, 'draftId' | 'account' | 'fileName' | 'rowCount' | 'changedAt'> {
  /** Null: what is recorded of it cannot be read. */
  problemCount: number | null;
}

/** Those that were changed last first. */
export async function listDrafts(
  database: Queryable,
  payees: PayeeData,
  makerId: string,
  limit: number,
): Promise<ListedDraft[]> {
  const { rows } = await database.query<StoredDraft>(
    `${DRAFT} where made_by = $1 order by changed_at desc, draft_id limit $2`,
    [makerId, limit],
  );
  return rows.map((draft) => {
    const { draftId, account, fileName, rowCount, changedAt } = draft;
    const problemCount = unlessUnreadable(() => opened(payees, draft).found.problemCount, null);
    return { draftId, account, fileName, rowCount, changedAt, problemCount };
  });
}

/** All rows in order, and those that were removed: a draft has at most some thousands. */
export async function readDraftRows(database: Queryable, payees: PayeeData, draftId: string): Promise<Rows> {
  const { rows } = await database.query<{ rows: Buffer }>('select rows from drafts where draft_id = $1', [draftId]);
  const [stored] = rows;
  if (stored === undefined) return { rows: [], removed: [], corrected: [] };
  return JSON.parse(payees.decryptOfDraft(draftId, 'rows', stored.rows).toString()) as Rows;
}

export async function readDraftFiles(
  database: Queryable,
  draftId: string,
): Promise<({ name: string } & SupportingFile)[]> {
  const { rows } = await database.query<{ name: string } & SupportingFile>(
    'select name, size_bytes as "sizeBytes", kind from draft_files where draft_id = $1 order by name',
    [draftId],
  );
  return rows;
}

export async function readDraftFileContents(
  database: Queryable,
  payees: PayeeData,
  draftId: string,
): Promise<{ name: string; bytes: Buffer }[]> {
  const { rows } = await database.query<{ name: string; content: Buffer }>(
    'select name, content from draft_files where draft_id = $1 order by name',
    [draftId],
  );
  return rows.map(({ name, content }) => ({ name, bytes: payees.decryptOfDraft(draftId, `file ${name}`, content) }));
}

/** Its content afterwards, and what becomes of its files. */
export type ChangedDraft = Pick<
  NewDraft,
  'columns' | 'profile' | 'notes' | 'found' | 'rows' | 'removed' | 'corrected'
> & {
  removedFiles: readonly string[];
  addedFile: NewDraftFile | null;
};

/** Replaces the content of a draft if it still has the revision that was seen. False: it has another one, or is gone. */
export async function changeDraft(
  database: Database,
  payees: PayeeData,
  seen: { draftId: string; makerId: string; revision: number },
  { removedFiles, addedFile, ...content }: ChangedDraft,
): Promise<boolean> {
  const { draftId } = seen;
  return inTransaction(database, async (transaction) => {
    const { rowCount } = await transaction.query(
      `update drafts set columns = $2, terms = $3, rows = $4, row_count = $5, removed_rows = $6,
         revision = revision + 1, changed_at = clock_timestamp()
       where draft_id = $1 and made_by = $7 and revision = $8`,
      [draftId, ...contentOf(payees, draftId, content), seen.makerId, seen.revision],
    );
    if (rowCount !== 1) return false;
    await transaction.query('delete from draft_files where draft_id = $1 and name = any ($2)', [draftId, removedFiles]);
    if (addedFile !== null) await addFile(transaction, payees, draftId, addedFile);
    return true;
  });
}

/** False: there is no such draft of this maker. */
export async function deleteDraft(database: Queryable, makerId: string, draftId: string): Promise<boolean> {
  const { rowCount } = await database.query('delete from drafts where draft_id = $1 and made_by = $2', [
    draftId,
    makerId,
  ]);
  return rowCount === 1;
}

/** What was submitted: the draft as its maker saw it. */
export interface SubmittedDraft {
  draftId: string;
  makerId: string;
  revision: number;
}

/** In the transaction that stores its run. False: it was changed meanwhile, or is gone. */
export async function deleteSubmittedDraft(transaction: Queryable, draft: SubmittedDraft): Promise<boolean> {
  const { rowCount } = await transaction.query(
    'delete from drafts where draft_id = $1 and made_by = $2 and revision = $3',
    [draft.draftId, draft.makerId, draft.revision],
  );
  return rowCount === 1;
}

/** Deletes drafts that were last changed before a time. Returns how many. */
export async function deleteOldDrafts(database: Queryable, before: Date): Promise<number> {
  const { rowCount } = await database.query('delete from drafts where changed_at < $1', [before]);
  return rowCount ?? 0;
}
