import { resolve } from 'node:path';
import type { CommandIo } from '../../client/cli/command-io.ts';
import { EXIT } from '../../client/cli/exit-code.ts';
import { PROVIDER_VARIABLES } from '../../config/account-settings.ts';
import { readEnvironment } from '../../config/environment.ts';
import { dataFolder, findRunningInstance } from '../../config/running-instance.ts';
import { exampleLinks } from '../sign-in-links.ts';
import { withStack } from '../stack/with-stack.ts';
import type { Demo, DemoOptions } from './demo.ts';
import { openDemoScreen } from './demo-screen.ts';
import { ONBOARDING_SANDBOX, playOnboarding } from './play-onboarding.ts';
import { playPayments } from './play-payments.ts';
import { playTreasury } from './play-treasury.ts';
import { TREASURY_SANDBOX } from './treasury-script.ts';

/** The demo did not go as expected: a defect of payrun or of the machine. */
const NOT_AS_EXPECTED = 1;

const DEMOS = {
  payments: { play: playPayments, sandboxArguments: [] },
  onboarding: { play: playOnboarding, sandboxArguments: ONBOARDING_SANDBOX },
  treasury: { play: playTreasury, sandboxArguments: TREASURY_SANDBOX },
} as const;

/**
 * `payrun demo`: a CSV from submission to results, applicants from submission to the provider's decision, or schedules that convert money, on services
 * started only for it. Exit code 0 if everything ended as the examples expect and the provider's ledger agrees.
 */
export async function runDemo(io: CommandIo, shown: keyof typeof DEMOS, options: DemoOptions): Promise<number> {
  const variables = { ...io.env, ...WITHOUT_REAL_SERVICES };
  const environment = readEnvironment(variables);
  const screen = openDemoScreen(options.json ? io.stderr : io.stdout);
  const { play, sandboxArguments } = DEMOS[shown];
  const stackOptions = {
    home: freeDemoHome(dataFolder(environment.PAYRUN_HOME, io.cwd)),
    environment,
    variables,
    fresh: true,
    anyHttpPort: true,
    sandboxArguments: ['--seed', '7', ...sandboxArguments],
    report: (line: string) => screen.say(line),
    onStopCode: EXIT.interrupted,
  };
  screen.title('Starting payrun: Temporal, Postgres, the sandbox, a worker and the server');
  return withStack(stackOptions, async (stack, stopped) => {
    const stop = new AbortController();
    void stopped.then(() => stop.abort());
    const demo = { stack, screen, io, options, signal: stop.signal };
    const code = await Promise.race([stopped, playDemo(demo, play)]);
    if (!options.keep || code === EXIT.interrupted) return code;
    screen.say('Everything keeps running until Ctrl-C. To look at it in a browser, use one of these links, each once:');
    for (const { name, url } of await exampleLinks(stack.ownerDatabaseUrl, stack.addresses.serverUrl, Date.now))
      screen.say(`  ${name}: ${url}`);
    await stopped;
    return code;
  });
}

/** A demo must never use real services, whatever the environment names, and goes by its script whatever it sets. */
const WITHOUT_REAL_SERVICES = {
  ...Object.fromEntries(PROVIDER_VARIABLES.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined])),
  DATABASE_URL: undefined,
  DATABASE_URL_FILE: undefined,
  PAYRUN_OWNER_DATABASE_URL: undefined,
  PAYRUN_OWNER_DATABASE_URL_FILE: undefined,
  PAYRUN_DATA_KEY: undefined,
  PAYRUN_DATA_KEY_FILE: undefined,
  PAYRUN_CALENDARS: undefined,
  PAYRUN_DOCUMENT_REQUIREMENTS: undefined,
  PAYRUN_VISIBILITY_DELAY_MS: undefined,
  TEMPORAL_ADDRESS: undefined,
  PAYRUN_HTTP_HOST: undefined,
  PAYRUN_HTTP_PORT: undefined,
};

/** A folder in which no other demo runs. */
function freeDemoHome(home: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = resolve(home, number === 1 ? 'demo' : `demo-${number}`);
    if (findRunningInstance([candidate]) === undefined) return candidate;
  }
}

async function playDemo(demo: Demo, play: (typeof DEMOS)[keyof typeof DEMOS]['play']): Promise<number> {
  const { stack, screen, io, options } = demo;
  screen.say(`API description: ${stack.addresses.serverUrl}/api/v1/openapi.json`);
  screen.say(`Temporal's UI: ${stack.addresses.temporalUiUrl ?? ''}`);
  const { deviations, document } = await play(demo);
  if (options.json) io.stdout.write(`${JSON.stringify(document)}\n`);
  return deviations.length === 0 ? EXIT.done : NOT_AS_EXPECTED;
}
