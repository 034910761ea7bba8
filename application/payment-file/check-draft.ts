import { randomUUID } from 'node:crypto';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { FILE_PROBLEMS } from '../../domain/payment-file/file-problem-codes.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import type { DraftFindings, DraftProblem } from '../../store/payment-file/drafts.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import type { CheckTerms } from './check-payment-file.ts';
import { checkInThread, findingsOf } from './check-in-thread.ts';
import { type DraftContent, draftFile } from './draft-content.ts';
import { leftOutOf } from './draft-amounts.ts';
import { bookAndReference, type FileNeeds } from './terms-of-file.ts';

/** Several for each row of the largest draft. */
const MAX_FOUND = 20_000;

/** Checks a draft by every rule of a submission. Each problem gets the number of its row. */
export async function checkDraft(
  dependencies: ApplicationDependencies,
  account: string,
  content: DraftContent,
  files: ReadonlyMap<string, SupportingFile>,
): Promise<DraftFindings> {
  const file = draftFile(content);
  const termsFor = async (needs: FileNeeds): Promise<CheckTerms> => ({
    runId: randomUUID(),
    onInvalid: 'reject',
    ...(await bookAndReference(dependencies, account, needs)),
    files,
    today: await readLocalDay(dependencies.database, account, dependencies.now()),
    maxListed: MAX_FOUND,
  });
  const checked = await checkInThread({ file, termsFor, key: null, take: findingsOf });
  const numbers = new Set(file.rowNumbers);
  const withRow = (problem: RowProblem): DraftProblem => ({
    ...problem,
    row: numbers.has(problem.line) && !(problem.code in FILE_PROBLEMS) ? problem.line : null,
  });
  if (checked.kind === 'refused') {
    const { listed, count } = checked.problems;
    const problems = listed.map(withRow);
    const leftOut = listed.length < count ? null : leftOutOf(content, problems);
    return { problems, problemCount: count, warnings: [], warningCount: 0, leftOut };
  }
  const { listed, count } = checked.warnings;
  return { problems: [], problemCount: 0, warnings: listed.map(withRow), warningCount: count, leftOut: null };
}
