import type { DifferencesQuery, RunDifferences } from '../../api/runs/differences.ts';
import { readComparedRun, readDifferences, type StoredDifference } from '../../store/runs/differences.ts';
import { readRowsById, type StoredRow } from '../../store/runs/run-rows.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { payeesOf } from '../data-keys.ts';
import { listedRow } from './opened-row.ts';
import { rowSummaryOf } from './row-summary.ts';

/** How a run differs from the last paid run of its kind: one page. */
export async function runDifferences(
  dependencies: ApplicationDependencies,
  runId: string,
  { after, limit }: DifferencesQuery,
): Promise<RunDifferences> {
  const { database } = dependencies;
  const earlier = await readComparedRun(database, runId);
  if (earlier === null) return { comparedWith: null, counts: {}, differences: [], next: null };
  const page = { after: after === null ? null : positionOf(after), limit };
  const { counts, differences } = await readDifferences(database, { runId, earlierId: earlier.runId }, page);
  const rows = await readRowsById(
    database,
    differences.flatMap(({ now, before }) => [now, before].flatMap((sum) => (sum === null ? [] : [sum.paymentId]))),
  );
  const payees = await payeesOf(dependencies);
  const last = differences.length < limit ? undefined : differences.at(-1);
  return {
    comparedWith: { ...earlier, submittedAt: earlier.submittedAt.toISOString() },
    counts,
    differences: differences.map(({ kind, currency, side, now, before }) => {
      const row = rows.get((now ?? before)?.paymentId ?? '');
      const summary = row === undefined ? null : rowSummaryOf(listedRow(payees, row), []);
      const beneficiary = summary?.beneficiaryName ?? summary?.beneficiary ?? null;
      return { kind, beneficiary, currency, side, now: sumOf(now, rows), before: sumOf(before, rows) };
    }),
    next: last === undefined ? null : cursorOf(last),
  };
}

function sumOf(
  sum: StoredDifference['now'],
  rows: ReadonlyMap<string, StoredRow>,
): RunDifferences['differences'][number]['now'] {
  const row = sum === null ? undefined : rows.get(sum.paymentId);
  if (sum === null || row === undefined) return null;
  return { rows: sum.rows, amount: sum.amount, runId: row.runId, line: row.line };
}

function cursorOf({ kind, payee, currency, side }: StoredDifference): string {
  return Buffer.from(JSON.stringify([kind, payee, currency, side])).toString('base64url');
}

type Position = [string, string, string, string];

function positionOf(cursor: string): Position {
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (Array.isArray(position) && position.length === 4 && position.every((part) => typeof part === 'string'))
      return position as Position;
  } catch {
    // As below.
  }
  throw new ApplicationError('invalid_input', 'after: is not `next` of a page');
}
