import { applicantsFilePage } from './applicants-file-page.ts';
import { cliPage } from './cli-page.ts';
import { configurationPage } from './configuration-page.ts';
import { databaseFunctionsPage } from './database-functions-page.ts';
import { errorsPage } from './errors-page.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { metricsPage } from './metrics-page.ts';
import { paymentFilePage } from './payment-file-page.ts';
import { statesPage } from './states-page.ts';

/** The pages in docs/ that are written from the code, wholly or in part, by the names of their files. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  'applicants-file.md': applicantsFilePage,
  'cli.md': cliPage,
  'configuration.md': configurationPage,
  'database-functions.md': databaseFunctionsPage,
  'errors.md': errorsPage,
  'operations/grafana-dashboard.json': grafanaDashboard,
  'operations/metrics.md': metricsPage,
  'payment-file.md': paymentFilePage,
  'states.md': statesPage,
};
