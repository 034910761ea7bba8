import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';

/** Payment files that their makers correct. Each statement names the maker: nobody else finds a draft. */

/** A problem with the number of its row, from 1; null: it is of no row. */
export interface DraftProblem extends RowProblem {
  row: number | null;
}

/** A row with its number in the file as it came, from 1: rows keep them when others are removed. */
export interface NumberedRow {
  row: number;
  cells: string[];
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
  mapping: Record<string, string>;
  defaults: Record<string, string>;
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
  mapping: Record<string, string>;
  defaults: Record<string, string>;
  found: DraftFindings;
  rows: readonly NumberedRow[];
  /** Taken one by one. */
  files: AsyncIterable<{ name: string; content: Uint8Array }>;
}

const DRAFT = `select draft_id as "draftId", account, file_name as "fileName", columns, mapping, defaults, revision, found,
    (select count(*)::int from draft_rows where draft_rows.draft_id = drafts.draft_id) as "rowCount",
    (select coalesce(jsonb_agg(row_number order by row_number), '[]') from draft_removed_rows removed
      where removed.draft_id = drafts.draft_id) as "removedRows",
    (select coalesce(jsonb_agg(name order by name), '[]') from draft_files where draft_files.draft_id = drafts.draft_id) as files,
    created_at as "createdAt", changed_at as "changedAt"
  from drafts`;

export async function addDraft(database: Database, draft: NewDraft): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query(
      `insert into drafts (draft_id, made_by, account, file_name, columns, mapping, defaults, found)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[draft.draftId, draft.makerId, draft.account, draft.fileName, JSON.stringify(draft.columns)],
        ...[JSON.stringify(draft.mapping), JSON.stringify(draft.defaults), JSON.stringify(draft.found)],
      ],
    );
    await addRows(transaction, 'draft_rows', draft.draftId, draft.rows);
    for await (const file of draft.files) await addFile(transaction, draft.draftId, file);
  });
}

interface NewDraftFile {
  name: string;
  content: Uint8Array;
}

async function addFile(transaction: Queryable, draftId: string, { name, content }: NewDraftFile): Promise<void> {
  await transaction.query('insert into draft_files (draft_id, name, content) values ($1, $2, $3)', [
    draftId,
    name,
    Buffer.from(content),
  ]);
}

type RowTable = 'draft_rows' | 'draft_removed_rows';

async function addRows(
  transaction: Queryable,
  table: RowTable,
  draftId: string,
  rows: readonly NumberedRow[],
): Promise<void> {
  await transaction.query(
    `insert into ${table} (draft_id, row_number, cells)
     select $1, (given ->> 'row')::integer, given -> 'cells' from jsonb_array_elements($2::jsonb) as rows (given)`,
    [draftId, JSON.stringify(rows)],
  );
}

export async function findDraft(database: Queryable, makerId: string, draftId: string): Promise<DraftRecord | null> {
  // guard: draft-of-its-maker
  const { rows } = await database.query<DraftRecord>(`${DRAFT} where draft_id = $1 and made_by = $2`, [
    draftId,
    makerId,
  ]);
  return rows[0] ?? null;
}

/** Those that were changed last first. */
export async function listDrafts(database: Queryable, makerId: string, limit: number): Promise<DraftRecord[]> {
  const { rows } = await database.query<DraftRecord>(
    `${DRAFT} where made_by = $1 order by changed_at desc, draft_id limit $2`,
    [makerId, limit],
  );
  return rows;
}

/** All rows in order, without those that were removed: a draft has at most some thousands. */
export function readDraftRows(database: Queryable, draftId: string): Promise<NumberedRow[]> {
  return readRows(database, 'draft_rows', draftId);
}

export function readRemovedRows(database: Queryable, draftId: string): Promise<NumberedRow[]> {
  return readRows(database, 'draft_removed_rows', draftId);
}

async function readRows(database: Queryable, table: RowTable, draftId: string): Promise<NumberedRow[]> {
  const { rows } = await database.query<NumberedRow>(
    `select row_number as row, cells from ${table} where draft_id = $1 order by row_number`,
    [draftId],
  );
  return rows;
}

/** The files of a draft: name, size and first bytes of each. */
export async function readDraftFiles(
  database: Queryable,
  draftId: string,
  firstBytes: number,
): Promise<{ name: string; sizeBytes: number; firstBytes: Buffer }[]> {
  const { rows } = await database.query<{ name: string; sizeBytes: number; firstBytes: Buffer }>(
    `select name, octet_length(content) as "sizeBytes", substring(content for $2) as "firstBytes"
     from draft_files where draft_id = $1 order by name`,
    [draftId, firstBytes],
  );
  return rows;
}

export async function readDraftFileContents(
  database: Queryable,
  draftId: string,
): Promise<{ name: string; bytes: Buffer }[]> {
  const { rows } = await database.query<{ name: string; bytes: Buffer }>(
    'select name, content as bytes from draft_files where draft_id = $1 order by name',
    [draftId],
  );
  return rows;
}

/** Its content afterwards, and what becomes of its files. */
export type ChangedDraft = Pick<NewDraft, 'columns' | 'mapping' | 'defaults' | 'found' | 'rows'> & {
  removed: readonly NumberedRow[];
  removedFiles: readonly string[];
  addedFile: NewDraftFile | null;
};

/** Replaces the content of a draft if it still has the revision that was seen. False: it has another one, or is gone. */
export async function changeDraft(
  database: Database,
  seen: { draftId: string; makerId: string; revision: number },
  content: ChangedDraft,
): Promise<boolean> {
  const { draftId } = seen;
  return inTransaction(database, async (transaction) => {
    const { rowCount } = await transaction.query(
      `update drafts set columns = $4, mapping = $5, defaults = $6, found = $7, revision = revision + 1, changed_at = clock_timestamp()
       where draft_id = $1 and made_by = $2 and revision = $3`,
      [
        ...[draftId, seen.makerId, seen.revision, JSON.stringify(content.columns)],
        ...[JSON.stringify(content.mapping), JSON.stringify(content.defaults), JSON.stringify(content.found)],
      ],
    );
    if (rowCount !== 1) return false;
    await transaction.query('delete from draft_rows where draft_id = $1', [draftId]);
    await transaction.query('delete from draft_removed_rows where draft_id = $1', [draftId]);
    await addRows(transaction, 'draft_rows', draftId, content.rows);
    await addRows(transaction, 'draft_removed_rows', draftId, content.removed);
    await transaction.query('delete from draft_files where draft_id = $1 and name = any ($2)', [
      draftId,
      content.removedFiles,
    ]);
    if (content.addedFile !== null) await addFile(transaction, draftId, content.addedFile);
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
