import { dataFolder } from '../config/running-instance.ts';
import { requireWholeProvider } from '../config/account-settings.ts';
import { readEnvironment } from '../config/environment.ts';
import type { CommandIo } from '../client/cli/command-io.ts';
import { printable } from '../client/cli/printable.ts';
import { counted, words } from '../client/cli/wording.ts';
import { hasUsers, readOpenWork, stopAtStart } from '../store/users/owner-users.ts';
import { withStack } from './stack/with-stack.ts';

/**
 * `payrun up`: everything, until it is told to stop. Before it goes on with anything it says what is open; `paused`, it
 * stops all payments first. Exit code 0 after an orderly end, 5 when a service gave up.
 */
export async function runUp(io: CommandIo, options: { json: boolean; paused: boolean }): Promise<number> {
  const environment = readEnvironment(io.env);
  requireWholeProvider(environment);
  const report = (line: string): boolean => io.stderr.write(`${line}\n`);
  const stackOptions = {
    home: dataFolder(environment.PAYRUN_HOME, io.cwd),
    environment,
    variables: io.env,
    report,
    beforeServices: async ({ ownerUrl }: { ownerUrl: string }) => {
      if (options.paused) {
        await stopAtStart(ownerUrl);
        report('Everything is stopped: nothing is sent until two people lift it, with payrun resume --all');
      }
      await tellOpenRuns(ownerUrl, report);
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

const FIRST_ADMINISTRATOR = '  To use it, begin with: payrun administrator LOGIN --name NAME';

/** What goes on as soon as the worker starts, so that nobody is surprised by it. */
async function tellOpenRuns(ownerUrl: string, report: (line: string) => void): Promise<void> {
  const { open, stops } = await readOpenWork(ownerUrl);
  if (open.length > 0) {
    const rows = open.reduce((sum, { notSent }) => sum + notSent, 0);
    report(`${counted(open.length, 'run')} open, ${counted(rows, 'row')} not sent:`);
    for (const run of open.slice(0, MOST_SHOWN)) {
      const stopped = run.isStopped ? ', stopped' : '';
      const row = `${run.runId} ${run.fileName}: ${words(run.state)}${stopped}, ${counted(run.notSent, 'row')} not sent`;
      report(`  ${printable(row)}`);
    }
    if (open.length > MOST_SHOWN)
      report(`  and ${counted(open.length - MOST_SHOWN, 'more run', 'more runs')}: payrun runs`);
  }
  if (stops > 0)
    report(`${counted(stops, 'stop holds', 'stops hold')}: payrun stops; two people lift one by payrun resume`);
}

const MOST_SHOWN = 10;
