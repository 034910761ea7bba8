import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServiceProcess, spawnService } from '../embedded/service-process.ts';
import type { Variables } from '../../config/environment.ts';
import type { StackOptions } from './stack-options.ts';

/** The command line of payrun itself: its own services are started by the same verbs that a person would type. */
const PAYRUN = fileURLToPath(new URL('../../bin/payrun', import.meta.url));

/** Starts one verb of payrun as a process of its own, and waits until it says that it is ready. */
export async function spawnVerb(
  { home, variables, report }: Pick<StackOptions, 'home' | 'variables' | 'report'>,
  verb: 'worker' | 'server' | 'sandbox',
  more: readonly string[] = [],
  env: Variables = {},
): Promise<ServiceProcess> {
  return spawnService({
    name: verb,
    command: process.execPath,
    args: [PAYRUN, verb, ...more],
    env: { ...variables, PAYRUN_HOME: home, ...env },
    logFile: join(home, 'logs', `${verb}.log`),
    readyWhen: (line) => {
      // What it tells a person while it starts, the person who started all of it should see.
      if (line.startsWith(`payrun ${verb}: `)) report(line);
      return line.startsWith(`payrun ${verb} is ready`);
    },
    report,
  });
}
