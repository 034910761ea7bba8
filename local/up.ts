import { dataFolder } from '../config/running-instance.ts';
import { environmentServerAccount, requireWholeProvider } from '../config/account-settings.ts';
import { accountsFilePath, readAccountsFile } from '../config/accounts-file.ts';
import { providerAccountsIn, serverAccountsIn } from '../config/file-accounts.ts';
import { hasOwnWebhookSecret } from '../config/webhook-token.ts';
import { readDocumentRequirements } from '../config/document-requirements.ts';
import { readCalendarOverrides } from '../config/treasury/calendar-file.ts';
import { referenceRatesIn } from '../config/treasury/reference-rates-file.ts';
import { readEnvironment } from '../config/environment.ts';
import type { CommandIo } from '../client/cli/command-io.ts';
import { printable } from '../client/cli/printable.ts';
import { counted, words } from '../client/cli/wording.ts';
import { afterRestore, readOpenWork, stopAtStart } from '../store/users/owner-users.ts';
import { consoleAddress } from '../domain/users/sign-in-link.ts';
import { exampleLinks, firstAdministratorLink } from './sign-in-links.ts';
import { withStack } from './stack/with-stack.ts';

/**
 * `payrun up`: runs everything until it is stopped. Before any payment continues it reports the open runs; with `paused`
 * it stops all payments first. Exit code 0 after an orderly end, 5 if a service keeps crashing.
 */
export async function runUp(
  io: CommandIo,
  options: { json: boolean; paused: boolean; restored: boolean },
): Promise<number> {
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
      if (options.paused || options.restored) {
        await (options.restored ? afterRestore : stopAtStart)(ownerUrl);
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
    report(`  Console:         ${consoleAddress(serverUrl)}`);
    const served =
      accounts === null ? [environmentServerAccount(environment)] : serverAccountsIn(accounts, environment);
    if (addresses.sandboxUrl === undefined && !served.every(hasOwnWebhookSecret)) {
      report('  Webhooks:        the next start is refused without a secret of your own for them:');
      report(
        '                   set PAYRUN_WEBHOOK_TOKEN_FILE or PAYRUN_WEBHOOK_HEADERS_FILE, or those of the account in payrun.yaml',
      );
    }
    await reportLinks({ ownerUrl: ownerDatabaseUrl, serverUrl, isSandbox: addresses.sandboxUrl !== undefined }, report);
    if (options.json) io.stdout.write(`${JSON.stringify({ home, serverUrl, temporalUiUrl: temporalUiUrl ?? null })}\n`);
    return stopped;
  });
}

/** Who may sign in here for the first time, or as an example, and how. */
async function reportLinks(
  { ownerUrl, serverUrl, isSandbox }: { ownerUrl: string; serverUrl: string; isSandbox: boolean },
  report: (line: string) => void,
): Promise<void> {
  const links = isSandbox ? await exampleLinks(ownerUrl, serverUrl, Date.now) : [];
  if (links.length > 0) {
    report('  To try it, sign in by one of these links. Each works once, within a day:');
    for (const { name, url } of links) report(`    ${printable(name)}: ${url}`);
    report('  For the command line:  payrun users examples');
    return;
  }
  const first = await firstAdministratorLink(ownerUrl, serverUrl, Date.now);
  if (first === null) return;
  report(`  To use it, sign in as the first administrator (${first.login}); the link works once, for 15 minutes:`);
  report(`    ${first.url}`);
  report('  or name one yourself: payrun administrator LOGIN --name NAME');
}

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
