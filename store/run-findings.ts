import type { RowMark, RunReview } from '../domain/run-finding.ts';
import type { Queryable } from './database.ts';

/** How long findings of a run that nobody has decided on are told: meanwhile other runs may have paid. */
const FRESH_FOR = '2 minutes';

/** Findings are as of the decision, or of now while there is none. */
const FRESH = `made_at > least(clock_timestamp(), runs.decided_at, runs.finished_at) - interval '${FRESH_FOR}'`;

/** The findings on record for just this content, unless they are too old. */
export async function readFindings(
  database: Queryable,
  run: { runId: string; contentHash: string },
): Promise<RunReview | null> {
  const { rows } = await database.query<{ findings: Omit<RunReview, 'contentHash'> }>(
    `select findings from run_findings join runs using (run_id) where run_id = $1 and content_hash = $2 and ${FRESH}`,
    [run.runId, run.contentHash],
  );
  const row = rows[0];
  return row === undefined ? null : { contentHash: run.contentHash, ...row.findings };
}

/** The later of two that work them out at once stays. */
export async function saveFindings(
  database: Queryable,
  runId: string,
  { contentHash, ...findings }: RunReview,
  marks: Readonly<Record<RowMark, readonly number[]>>,
): Promise<void> {
  await database.query(
    `insert into run_findings (run_id, content_hash, findings, marks) values ($1, $2, $3, $4)
     on conflict (run_id) do update set content_hash = excluded.content_hash, findings = excluded.findings,
       marks = excluded.marks, made_at = clock_timestamp()`,
    [runId, contentHash, JSON.stringify(findings), JSON.stringify(marks)],
  );
}

/**
 * The marks of rows, by their numbers, from the first to the last one given. Null: the findings on record are too old, or
 * there are none.
 */
export async function readMarks(
  database: Queryable,
  runId: string,
  rows: { first: number; last: number },
): Promise<Map<number, RowMark[]> | null> {
  const { rows: found } = await database.query<{ mark: RowMark; numbers: number[] | null }>(
    `select mark, (select array_agg(number::int) from jsonb_array_elements(numbers) as number
       where number::int between $2 and $3) as numbers
     from run_findings join runs using (run_id), jsonb_each(marks) as by_mark (mark, numbers)
     where run_id = $1 and ${FRESH}`,
    [runId, rows.first, rows.last],
  );
  if (found.length === 0) return null;
  const marks = new Map<number, RowMark[]>();
  for (const { mark, numbers } of found) {
    for (const number of numbers ?? []) marks.set(number, [...(marks.get(number) ?? []), mark]);
  }
  return marks;
}
