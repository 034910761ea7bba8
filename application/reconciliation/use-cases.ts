import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { askForReconciliation, findReconciliation, listBookDays, signBookDay, signOpening } from './book-days.ts';
import { assignBreak, closeBreak, explainBreak, listBreaks, reopenBreak } from './breaks.ts';
import { reconciliationReport } from './report-files.ts';

export type ReconciliationApplication = ReturnType<typeof reconciliationUseCases>;

export function reconciliationUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    listBookDays,
    askForReconciliation,
    findReconciliation,
    signBookDay,
    signOpening,
    listBreaks,
    assignBreak,
    explainBreak,
    closeBreak,
    reopenBreak,
    reconciliationReport,
  });
}
