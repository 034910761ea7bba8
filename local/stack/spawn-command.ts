import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServiceProcess, spawnService } from '../embedded/service-process.ts';
import type { Variables } from '../../config/environment.ts';
import type { StackOptions } from './stack-options.ts';

/** payrun's own command line: its services are started with the same commands that a person would run. */
const PAYRUN = fileURLToPath(new URL('../../bin/payrun', import.meta.url));

/** Of values that live shortly, each process keeps 4 MiB: with more, which Node takes where it is not told, it is hardly faster. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

/** Starts one payrun command as a process, and waits until it reports that it is ready. */
export async function spawnCommand(
  { home, variables, report }: Pick<StackOptions, 'home' | 'variables' | 'report'>,
  command: 'worker' | 'server' | 'sandbox',
  args: readonly string[] = [],
  env: Variables = {},
): Promise<ServiceProcess> {
  return spawnService({
    name: command,
    command: process.execPath,
    args: [...NODE_FLAGS, PAYRUN, command, ...args],
    env: { ...variables, PAYRUN_HOME: home, ...env },
    logFile: join(home, 'logs', `${command}.log`),
    readyWhen: (line) => {
      // Its messages while starting are for the person who runs payrun.
      if (line.startsWith(`payrun ${command}: `)) report(line);
      return line.startsWith(`payrun ${command} is ready`);
    },
    report,
  });
}
