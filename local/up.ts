import { dataFolder } from '../config/running-instance.ts';
import { requireWholeProvider } from '../config/account-settings.ts';
import { accountsFilePath, readAccountsFile } from '../config/accounts-file.ts';
import { providerAccountsIn } from '../config/file-accounts.ts';
import { readDocumentRequirements } from '../config/document-requirements.ts';
import { readCalendarOverrides } from '../config/treasury/calendar-file.ts';
import { referenceRatesIn } from '../config/treasury/reference-rates-file.ts';
import { readEnvironment } from '../config/environment.ts';
import type { CommandIo } from '../client/cli/command-io.ts';
import { printable } from '../client/cli/printable.ts';
import { counted, words } from '../client/cli/wording.ts';
import { hasUsers, readOpenWork, stopAtStart } from '../store/users/owner-users.ts';
import { withStack } from './stack/with-stack.ts';

/**
 * `payrun up`: runs everything until it is stopped. Before any payment continues it reports the open runs; with `paused`
 * it stops all payments first. Exit code 0 after an orderly end, 5 if a service keeps crashing.
 */
export async function runUp(io: CommandIo, options: { json: boolean; paused: boolean }): Promise<number> {
  const environment = readEnvironment(io.env);
  const accountsFile = accountsFilePath(environment, io.cwd);
  const accounts = accountsFile === undefined ? null : readAccountsFile(accountsFile);
  // Wrong accounts and document requirements are named before anything starts.
  if (accounts === null) requireWholeProvider(environment);
  else providerAccountsIn(accounts, environment);
  readDocumentRequirements(environment.PAYRUN_DOCUMENT_REQUIREMENTS ?? null);
  readCalendarOverrides(environment.PAYRUN_CALENDARS ?? null);
  await referenceRatesIn(environment.PAYRUN_REFERENCE_RATES ?? null)();
  const report = (line: string): boolean => io.stderr.write(`${line}\n`);
  const stackOptions = {
    home: dataFolder(environment.PAYRUN_HOME, io.cwd),
    environment,
    variables: io.env,
    accounts,
    report,
    beforeServices: async ({ ownerUrl }: { ownerUrl: string }) => {
      if (options.paused) {
        await stopAtStart(ownerUrl);
        report('Everything is stopped: nothing is sent until two people lift the stop with payrun resume --all');
      }
      await reportOpenRuns(ownerUrl, report);
    },
    onStopCode: 0,
  };
  return withStack(stackOptions, async ({ home, addresses, ownerDatabaseUrl }, stopped) => {
    const { serverUrl, temporalUiUrl } = addresses;
    report(`payrun is up on ${serverUrl}`);
    report(`  API description: ${serverUrl}/api/v1/openapi.json`);
    if (temporalUiUrl !== undefined) report(`  Temporal's UI:   ${temporalUiUrl}`);
    if (!(await hasUsers(ownerDatabaseUrl))) {
      report(
        addresses.sandboxUrl === undefined
          ? FIRST_ADMINISTRATOR
          : `  To try it, add users:  payrun users examples\n${FIRST_ADMINISTRATOR}`,
      );
    }
    if (options.json) io.stdout.write(`${JSON.stringify({ home, serverUrl, temporalUiUrl: temporalUiUrl ?? null })}\n`);
    return stopped;
  });
}

const FIRST_ADMINISTRATOR = '  To use it, start with: payrun administrator LOGIN --name NAME';

/** Reports what continues as soon as the worker starts. */
async function reportOpenRuns(ownerUrl: string, report: (line: string) => void): Promise<void> {
  const { open, stops } = await readOpenWork(ownerUrl);
  if (open.length > 0) {
    const rows = open.reduce((sum, { notSent }) => sum + notSent, 0);
    report(`${counted(open.length, 'run')} open, ${counted(rows, 'row')} not sent:`);
    for (const run of open.slice(0, MAX_SHOWN)) {
      const stopped = run.isStopped ? ', stopped' : '';
      const row = `${run.runId} ${run.fileName}: ${words(run.state)}${stopped}, ${counted(run.notSent, 'row')} not sent`;
      report(`  ${printable(row)}`);
    }
    if (open.length > MAX_SHOWN)
      report(`  and ${counted(open.length - MAX_SHOWN, 'more run', 'more runs')}: payrun runs`);
  }
  if (stops > 0)
    report(`${counted(stops, 'stop')} in force: payrun stops lists them; two people lift one with payrun resume`);
}

const MAX_SHOWN = 10;
