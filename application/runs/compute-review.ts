import { dayOf } from '../../domain/calendar-date.ts';
import type {
  EarlierRun,
  FileSubmittedBefore,
  FindingKind,
  FileNotes,
  NewProfile,
  PaysLater,
  RowMark,
  RunReview,
  SplitBelowRule,
} from '../../domain/runs/run-finding.ts';
import {
  allRowFindings,
  type CellWarning,
  findingIds,
  laterDays,
  marksOf,
  namesToCompare,
  type RowFacts,
  unreadableRows,
} from '../../domain/runs/run-findings.ts';
import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';
import { type Database, inTransaction, type Queryable } from '../../store/database/database.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { decidesPayees, decidingColumns } from '../../domain/import-profiles/own-format.ts';
import { exampleAmount, sourceInWords } from '../../domain/import-profiles/profile-in-words.ts';
import { openPayeeData, type PayeeData } from '../../store/personal-data/payee-data.ts';
import { readLookAlikes } from '../../store/beneficiaries/look-alikes.ts';
import { readSplits } from '../../store/approvals/splitting.ts';
import { type EarlierSubmission, readEarlierSubmissions } from '../../store/runs/duplicates.ts';
import { listDamagedRows } from '../../store/runs/damaged-rows.ts';
import { countPaidEarlier } from '../../store/runs/paid-earlier.ts';
import { readReviewedRun, readRowFacts, type ReviewScope } from '../../store/runs/review-facts.ts';
import { readRunProfile } from '../../store/runs/run-profiles.ts';
import { readRunWarnings } from '../../store/runs/run-warnings.ts';
import { orNotFound } from '../application-error.ts';
import { composeFindings } from './compose-findings.ts';

/** The findings listed of each kind; further ones are only counted. */
const MAX_FINDINGS_PER_KIND = 1_000;
const MAX_EARLIER_RUNS = 10;

export interface ComputedReview {
  review: RunReview;
  marks: Readonly<Record<RowMark, readonly number[]>>;
  /** The numbers of all rows of each listed finding, by its id. */
  rowsOf: Readonly<Record<string, readonly number[]>>;
}

/** What stands out in the rows of a run, as the database has them now. */
export async function computeReview(
  database: Database,
  keys: DataKeys,
  runId: string,
  nowMs: number,
): Promise<ComputedReview> {
  const today = dayOf(nowMs);
  const payees = await openPayeeData(database, keys);
  return inTransaction(database, async (transaction) => {
    // All of it, the hash included, is of one snapshot.
    await transaction.query('set transaction isolation level repeatable read, read only');
    const run = orNotFound(await readReviewedRun(transaction, runId), 'there is no such run');
    const damaged = await listDamagedRows(transaction, payees, run);
    const all = await readRowFacts(transaction, run);
    // guard: unreadable-row-fails-no-review
    const rows = all.filter(({ rowNumber }) => !damaged.has(rowNumber));
    const warnings = await readRunWarnings(transaction, payees, runId);
    const alike = await readLookAlikes(transaction, payees, run, namesToCompare(rows));
    const sameInvoice = await countPaidEarlier(transaction, run, 'invoices');
    const closeAmount = await countPaidEarlier(transaction, run, 'amounts');
    const others = { alike: new Set(alike.keys()), sameInvoice, closeAmount };
    const unreadable = unreadableRows(all.filter(({ rowNumber }) => damaged.has(rowNumber)));
    const found = [...unreadable, ...allRowFindings(rows, warnings.listed, others)];
    const later = laterDays(rows, today).map((day) => ({ kind: 'pays_later', ...day }) as const);
    const listed = named(firstOfEachKind(found));
    const listedDays = named(firstOfEachKind(later));
    const findings = [
      ...(await earlierSubmissions(transaction, run)),
      ...(await splits(transaction, run)),
      ...(await newProfile(transaction, payees, runId)),
      ...(await composeFindings(transaction, payees, run, listed, { alike, sameInvoice, closeAmount })),
      ...fileNotes(warnings.listed, all),
      ...listedDays.map(({ kind, id, day, rows: due }): PaysLater => ({ kind, id, day, rowCount: due.length })),
    ];
    const unlistedCounts = unlisted([...found, ...later], warnings.count - warnings.listed.length);
    return {
      review: { contentHash: run.contentHash, findings, unlistedCounts },
      marks: marksOf(found),
      rowsOf: Object.fromEntries([...listed, ...listedDays].map((one) => [one.id, one.rows.map(numberOf)])),
    };
  });
}

async function earlierSubmissions(transaction: Queryable, run: ReviewScope): Promise<FileSubmittedBefore[]> {
  const { runs, count } = await readEarlierSubmissions(transaction, run, MAX_EARLIER_RUNS);
  if (count === 0) return [];
  return [{ kind: 'file_submitted_before', runs: runs.map(shown), runCount: count }];
}

async function splits(transaction: Queryable, run: ReviewScope): Promise<SplitBelowRule[]> {
  if (run.asOf !== null) return [];
  const found = await readSplits(transaction, run.runId, MAX_EARLIER_RUNS);
  return found.map(({ runs, ...split }) => ({ kind: 'split_below_rule', ...split, runs: runs.map(shown) }));
}

async function newProfile(transaction: Queryable, payees: PayeeData, runId: string): Promise<NewProfile[]> {
  const read = await readRunProfile(transaction, payees, runId);
  if (read === null || read.wasKnown) return [];
  const { name, profile } = read;
  // guard: profile-is-confirmed
  if (profile !== null && !decidesPayees(profile)) return [];
  const columns = profile === null ? [] : decidingColumns(profile);
  const amountForm = profile?.amountForm ?? null;
  return [
    {
      ...{ kind: 'new_profile', name, hash: read.hash.slice(0, 12) },
      columns: columns.map(({ column, source }) => ({ column, from: sourceInWords(source) })),
      amounts: amountForm === null ? null : exampleAmount(amountForm),
    },
  ];
}

const MAX_NOTES = 100;

/** Notes about lines that are no rows of the run: others are findings of their rows. */
function fileNotes(warnings: readonly CellWarning[], rows: readonly RowFacts[]): FileNotes[] {
  const lines = new Set(rows.map(({ line }) => line));
  const notes = warnings.filter(({ code, line }) => code in SHEET_NOTES && !lines.has(line));
  // guard: left-out-is-told
  if (notes.length === 0) return [];
  const listed = notes.slice(0, MAX_NOTES).map(({ line, problem }) => ({ line, problem }));
  return [{ kind: 'file_notes', notes: listed, noteCount: notes.length }];
}

function shown({ submittedAt, ...run }: EarlierSubmission): EarlierRun {
  return { ...run, submittedAt: submittedAt.toISOString() };
}

/** With an id for each, which is unique among all of its kind. */
function named<T extends Parameters<typeof findingIds>[0][number]>(found: readonly T[]): (T & { id: string })[] {
  const ids = findingIds(found);
  return found.map((one, index) => ({ ...one, id: ids[index] ?? '' }));
}

function numberOf({ rowNumber }: RowFacts): number {
  return rowNumber;
}

function firstOfEachKind<T extends { kind: FindingKind }>(found: readonly T[]): T[] {
  const counts = new Map<FindingKind, number>();
  return found.filter(({ kind }) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return (counts.get(kind) ?? 0) <= MAX_FINDINGS_PER_KIND;
  });
}

/** `warningsNotKept`: how many more warnings the check of the file gave than are stored. */
function unlisted(found: readonly { kind: FindingKind }[], warningsNotKept: number): RunReview['unlistedCounts'] {
  const counts = new Map<FindingKind, number>();
  for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const more = new Map([...counts].map(([kind, count]) => [kind, Math.max(0, count - MAX_FINDINGS_PER_KIND)]));
  more.set('check_warning', (more.get('check_warning') ?? 0) + warningsNotKept);
  return Object.fromEntries([...more].filter(([, count]) => count > 0));
}
