import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ServiceProcess, spawnService } from '../../local/embedded/service-process.ts';

const PAYRUN = fileURLToPath(new URL('../../bin/payrun', import.meta.url));
const SHIFTED_CLOCK = pathToFileURL(fileURLToPath(new URL('./shifted-clock.mjs', import.meta.url))).href;

/** Starts a worker or a server as `payrun up` does; a clock file holds the error of its wall clock in milliseconds. */
export function spawnPayrun(options: {
  home: string;
  verb: 'worker' | 'server';
  name: string;
  variables: Readonly<Record<string, string | undefined>>;
  clockFile?: string;
}): Promise<ServiceProcess> {
  const { home, verb, name, variables, clockFile } = options;
  return spawnService({
    name,
    command: process.execPath,
    args: [...(clockFile === undefined ? [] : ['--import', SHIFTED_CLOCK]), PAYRUN, verb],
    env: { ...variables, ...(clockFile === undefined ? {} : { SHIFTED_CLOCK_FILE: clockFile }) },
    logFile: join(home, 'logs', `${name}.log`),
    readyWhen: (line) => line.startsWith(`payrun ${verb} is ready`),
    // A scenario may break what it needs for an orderly stop.
    stopGraceMs: 5_000,
    report: () => undefined,
  });
}
