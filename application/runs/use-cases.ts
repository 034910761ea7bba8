import { listFiles, readFile } from '../../store/runs/supporting-files.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { payeesOf } from '../data-keys.ts';
import { confirmManualOutcome, rejectManualOutcome, proposeManualOutcome } from '../payments/resolve-row.ts';
import { eraseRun } from './erase-run.ts';
import { findRow } from './find-row.ts';
import { withinAccounts } from './review-within-accounts.ts';
import { countRows, listRows } from './list-rows.ts';
import { findSuspects, releaseRows } from './release-rows.ts';
import type { RowAccess } from './similar-rows.ts';
import { exceptions, proposal, results, sheet } from './result-files.ts';
import { runDifferences } from './run-differences.ts';
import { findRun, listRuns } from './run-views.ts';
import { submitRun } from './submit-run.ts';

export function runUseCases(dependencies: ReviewingDependencies) {
  const { database, reviews } = dependencies;
  return {
    listFiles: (runId: string) => listFiles(database, runId),
    findFile: async (runId: string, name: string) => readFile(database, await payeesOf(dependencies), runId, name),
    findReview: async (runId: string, accounts: readonly string[] | null) =>
      withinAccounts(await reviews.find(runId), accounts),
    findRow: (runId: string, rowRef: string, may: RowAccess = { withInstructions: false, accounts: null }) =>
      findRow(dependencies, { runId, rowRef }, may),
    ...bindUseCases(dependencies, {
      submit: submitRun,
      listRuns,
      eraseRun,
      findRun,
      listRows,
      countRows,
      findSuspects,
      releaseRows,
      proposeManualOutcome,
      confirmManualOutcome,
      rejectManualOutcome,
      runDifferences,
      proposal,
      results,
      exceptions,
      sheet,
    }),
  };
}
