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
  CollectedFindings,
  ComparedRows,
  type LaterDay,
  LaterDays,
  MAX_FINDINGS_PER_KIND,
  type RowFinding,
  type RowMarks,
} from '../../domain/runs/collected-findings.ts';
import type { RowGroup } from '../../domain/runs/found-rows.ts';
import { type CellWarning, findingIds } from '../../domain/runs/run-findings.ts';
import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';
import { type Database, inTransaction, type Queryable } from '../../store/database/database.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { decidesPayees, decidingColumns } from '../../domain/import-profiles/own-format.ts';
import { profileChanges } from '../../domain/import-profiles/profile-changes.ts';
import { exampleAmount, sourceInWords } from '../../domain/import-profiles/profile-in-words.ts';
import { openPayeeData, type PayeeData } from '../../store/personal-data/payee-data.ts';
import { readLookAlikes } from '../../store/beneficiaries/look-alikes.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { readSplits } from '../../store/approvals/splitting.ts';
import { type EarlierSubmission, readEarlierSubmissions } from '../../store/runs/duplicates.ts';
import { listDamagedRows } from '../../store/runs/damaged-rows.ts';
import { countPaidEarlier } from '../../store/runs/paid-earlier.ts';
import {
  openReviewedRows,
  readReviewedRun,
  type ReviewedRows,
  type ReviewScope,
} from '../../store/runs/review-facts.ts';
import { readRunProfile } from '../../store/runs/run-profiles.ts';
import { readRunWarnings } from '../../store/runs/run-warnings.ts';
import { orNotFound } from '../application-error.ts';
import { composeFindings, type FoundOthers } from './compose-findings.ts';

const MAX_EARLIER_RUNS = 10;

export interface ComputedReview {
  review: RunReview;
  /** By row number; see `RowMarks`. */
  marks: Uint16Array;
  /** The numbers of all rows of each listed finding, by its id. */
  rowsOf: Readonly<Record<string, Uint32Array>>;
}

/** What stands out in the rows of a run, as the database has them now. What it keeps of each row are some bytes. */
export async function computeReview(
  database: Database,
  keys: DataKeys,
  runId: string,
  nowMs: number,
): Promise<ComputedReview> {
  const payees = await openPayeeData(database, keys);
  return inTransaction(database, async (transaction) => {
    // All of it, the hash included, is of one snapshot.
    await transaction.query('set transaction isolation level repeatable read, read only');
    const run = orNotFound(await readReviewedRun(transaction, runId), 'there is no such run');
    const warnings = await readRunWarnings(transaction, payees, runId);
    const rows = await judgeRows(transaction, payees, run, {
      warnings: warnings.listed,
      today: await readLocalDay(transaction, run.account, nowMs),
    });
    const { later, listed, counts } = rows;
    const listedDays = withIds(later.slice(0, MAX_FINDINGS_PER_KIND));
    const findings = [
      ...(await earlierSubmissions(transaction, run)),
      ...(await splits(transaction, run)),
      ...(await newProfile(transaction, payees, runId)),
      ...(await composeFindings(transaction, payees, run, listed, rows.others)),
      ...fileNotes(warnings.listed, rows.lines),
      ...listedDays.map(({ id, day, found }): PaysLater => ({ kind: 'pays_later', id, day, rowCount: found.rowCount })),
    ];
    const all = new Map<FindingKind, number>([...counts, ['pays_later', later.length]]);
    return {
      review: {
        contentHash: run.contentHash,
        findings,
        unlistedCounts: unlisted(all, warnings.count - warnings.listed.length),
      },
      marks: rows.marks.bits,
      rowsOf: Object.fromEntries([...listed, ...listedDays].map(({ id, found }) => [id, found.numbers])),
    };
  });
}

interface Judged {
  listed: (RowFinding & { id: string })[];
  counts: ReadonlyMap<FindingKind, number>;
  later: LaterDay[];
  marks: RowMarks;
  others: FoundOthers;
  /** Those of the lines with warnings that are rows. */
  lines: ReadonlySet<number>;
}

async function judgeRows(
  transaction: Queryable,
  payees: PayeeData,
  run: ReviewScope,
  { warnings, today }: { warnings: readonly CellWarning[]; today: string },
): Promise<Judged> {
  const damaged = await listDamagedRows(transaction, payees, run);
  const rows = await openReviewedRows(transaction, run);
  const compared = await compareRows(rows, damaged);
  const { toCompare, sharedAccounts } = compared;
  const rowNumbers = [...toCompare.values()];
  const alike = await readLookAlikes(transaction, payees, run, { rowNumbers, maxListed: MAX_FINDINGS_PER_KIND });
  const invoices = await countPaidEarlier(transaction, run, 'invoices');
  const amounts = await countPaidEarlier(transaction, run, 'amounts');
  const earlier = { sameInvoice: invoices.countOf, isOfContract: invoices.isOfContract, closeAmount: amounts.countOf };
  const pairsOf = (rows: ReadonlySet<number>) =>
    new Set([...toCompare].filter(([, row]) => rows.has(row)).map(([pair]) => pair));
  const names = { alike: pairsOf(alike.rows), notCompared: pairsOf(alike.notCompared) };
  toCompare.clear();
  const collected = new CollectedFindings({ ...names, ...earlier, sharedAccounts }, warnings);
  const later = new LaterDays(today);
  const warned = new Set(warnings.map(({ line }) => line));
  const lines = new Set<number>();
  await rows.forEach((row) => {
    if (warned.has(row.line)) lines.add(row.line);
    // guard: unreadable-row-fails-no-review
    const isDamaged = damaged.has(row.rowNumber);
    if (isDamaged) collected.addUnreadable(row);
    else collected.add(row);
    if (!isDamaged) later.add(row);
  });
  const { listed, counts } = collected.finish();
  return {
    listed: withIds(listed),
    ...{ counts, lines, later: later.all(), marks: collected.marks },
    others: { alike: alike.listed, ...earlier },
  };
}

async function compareRows(rows: ReviewedRows, damaged: ReadonlySet<number>): Promise<ComparedRows> {
  const compared = new ComparedRows();
  await rows.forEach((row) => {
    if (!damaged.has(row.rowNumber)) compared.add(row);
  });
  return compared;
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
  const { name, profile, before } = read;
  const is = { kind: 'new_profile', name, hash: read.hash.slice(0, 12) } as const;
  // guard: profile-is-confirmed
  if (profile !== null && !decidesPayees(profile)) return [];
  if (profile !== null && before !== null) {
    return [{ ...is, isChange: true, columns: profileChanges(before, profile), amounts: null }];
  }
  const columns = profile === null ? [] : decidingColumns(profile);
  const amountForm = profile?.amountForm ?? null;
  return [
    {
      ...{ ...is, isChange: false },
      columns: columns.map(({ column, source }) => ({ column, from: sourceInWords(source), before: null })),
      amounts: amountForm === null ? null : exampleAmount(amountForm),
    },
  ];
}

const MAX_NOTES = 100;

/** Notes about lines that are no rows of the run: others are findings of their rows. `lines`: of rows. */
function fileNotes(warnings: readonly CellWarning[], lines: ReadonlySet<number>): FileNotes[] {
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
function withIds<T extends { kind: RowMark | 'pays_later'; found: RowGroup }>(
  found: readonly T[],
): (T & { id: string })[] {
  const ids = findingIds(found.map((one) => ({ kind: one.kind, rows: one.found.rows })));
  return found.map((one, index) => ({ ...one, id: ids[index] ?? '' }));
}

/** `warningsNotKept`: how many more warnings the check of the file gave than are stored. */
function unlisted(counts: ReadonlyMap<FindingKind, number>, warningsNotKept: number): RunReview['unlistedCounts'] {
  const more = new Map([...counts].map(([kind, count]) => [kind, Math.max(0, count - MAX_FINDINGS_PER_KIND)]));
  more.set('check_warning', (more.get('check_warning') ?? 0) + warningsNotKept);
  return Object.fromEntries([...more].filter(([, count]) => count > 0));
}
