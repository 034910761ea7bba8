import { dataFolder } from '../config/running-instance.ts';
import { requireWholeProvider } from './account-settings.ts';
import { readEnvironment } from './environment.ts';
import type { CommandIo } from '../client/cli/command-io.ts';
import { withStack } from './stack/with-stack.ts';

/** `payrun up`: everything, until it is told to stop. Exit code 0 after an orderly end, 5 when a service gave up. */
export async function runUp(io: CommandIo, options: { json: boolean }): Promise<number> {
  const environment = readEnvironment(io.env);
  requireWholeProvider(environment);
  const report = (line: string): boolean => io.stderr.write(`${line}\n`);
  const stackOptions = {
    home: dataFolder(environment.PAYRUN_HOME, io.cwd),
    environment,
    variables: io.env,
    report,
    onStopCode: 0,
  };
  return withStack(stackOptions, async ({ home, addresses }, stopped) => {
    const { serverUrl, temporalUiUrl } = addresses;
    report(`payrun is up on ${serverUrl}`);
    report(`  API description: ${serverUrl}/api/v1/openapi.json`);
    if (temporalUiUrl !== undefined) report(`  Temporal's UI:   ${temporalUiUrl}`);
    report(`  The administrator's token is in ${home}/admin-token; give it to the command line as PAYRUN_TOKEN`);
    if (options.json) io.stdout.write(`${JSON.stringify({ home, serverUrl, temporalUiUrl: temporalUiUrl ?? null })}\n`);
    return stopped;
  });
}
