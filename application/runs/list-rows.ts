import { ROW_COUNT_LIMIT, type RowListQuery, type RowSummary } from '../../api/runs/row.ts';
import { searchedRow } from '../../domain/runs/row-search.ts';
import { readRowsByNumber } from '../../store/runs/run-rows.ts';
import { nameKeys } from '../../store/runs/row-search-keys.ts';
import { countFitting, findPage, type RowFilter } from '../../store/runs/row-pages.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';
import { listedRow } from './opened-row.ts';
import { maskedRow, rowSummaryOf } from './row-summary.ts';

/** Rows of one state only, from a line on; with the other fields a page in another order. */
export interface RowPage
  extends Pick<RowListQuery, 'limit' | 'afterLine' | 'state'>,
    Partial<Pick<RowListQuery, 'q' | 'currency' | 'mark' | 'finding' | 'marks' | 'sort' | 'order' | 'from'>> {
  /** The last row of the page before. */
  after?: { line: number; state: string | null } | null;
  /** Whether to show bank details and other payment instructions; absent: no. */
  withInstructions?: boolean;
}

/** More than a file may have. */
const LAST_ROW = 999_999_999;

export async function listRows(
  dependencies: ReviewingDependencies,
  runId: string,
  page: RowPage,
): Promise<RowSummary[]> {
  const { database, reviews } = dependencies;
  const numbers = await findPage(database, runId, {
    ...(await filterOf(dependencies, runId, page)),
    sort: page.sort ?? 'line',
    isDescending: page.order === 'desc',
    from: page.from ?? 0,
    after: page.after ?? null,
    limit: page.limit,
  });
  if (numbers.length === 0) return [];
  const rows = await readRowsByNumber(database, runId, numbers);
  const range = { first: Math.min(...numbers), last: Math.max(...numbers) };
  const marks =
    page.marks === 'if_known' ? await reviews.marksIfKnown(runId, range) : await reviews.marksOf(runId, range);
  const payees = await payeesOf(dependencies);
  const summaries = rows.map((row) =>
    rowSummaryOf(listedRow(payees, row), marks === null ? null : (marks.get(row.rowNumber) ?? [])),
  );
  return page.withInstructions === true ? summaries : summaries.map(maskedRow);
}

export async function countRows(
  dependencies: ReviewingDependencies,
  runId: string,
  page: RowPage,
): Promise<{ count: number; hasMore: boolean }> {
  const filter = await filterOf(dependencies, runId, page);
  const count = await countFitting(dependencies.database, runId, filter, ROW_COUNT_LIMIT);
  return { count: Math.min(count, ROW_COUNT_LIMIT), hasMore: count > ROW_COUNT_LIMIT };
}

async function filterOf(dependencies: ReviewingDependencies, runId: string, page: RowPage): Promise<RowFilter> {
  const { state, afterLine, currency = null, q = null, withInstructions = false } = page;
  const search = q === null ? null : searchedRow(q);
  return {
    state,
    currency,
    afterLine,
    search:
      search === null
        ? null
        : {
            ...search,
            nameKeys: withInstructions ? nameKeys((await payeesOf(dependencies)).hash, search.name) : [],
            rowRef: search.reference,
          },
    numbers: await numbersOf(dependencies.reviews, runId, page),
  };
}

/** The rows that a finding is about, or that have a mark. Null: it is not asked for. */
async function numbersOf(
  reviews: ReviewingDependencies['reviews'],
  runId: string,
  { finding = null, mark = null }: RowPage,
): Promise<readonly number[] | null> {
  if (finding !== null) return reviews.rowsOf(runId, finding);
  if (mark === null) return null;
  return [...(await reviews.marksOf(runId, { first: 1, last: LAST_ROW }))]
    .filter(([, marks]) => marks.includes(mark))
    .map(([number]) => number);
}
