import pino, { type Logger } from 'pino';
import { WrongInput } from '../client/cli/exit-code.ts';
import { optionsFromFlags, type ParsedFlags } from '../sandbox/config/parse-flags.ts';
import { StateFileError } from '../sandbox/state/state-file-error.ts';
import { payrunCacheDir } from '../local/embedded/temporal-cache.ts';
import { readEnvironment, readServerEnvironment } from '../config/environment.ts';
import { readServerInstallation, readWorkerInstallation } from '../config/installation.ts';
import type { CommandIo } from '../client/cli/command-io.ts';
import type { VersionChoice } from '../workers/versions/register-version.ts';

/** Each service loads its own code alone: that of the others takes memory. */

/** `payrun worker`. */
export async function workerCommand(io: CommandIo, version: VersionChoice): Promise<void> {
  const environment = readEnvironment(io.env);
  const installation = readWorkerInstallation(environment, io.cwd);
  const { runWorker } = await import('../workers/run-worker.ts');
  await runWorker({
    environment,
    installation,
    cacheDir: payrunCacheDir(io.env),
    version,
    log: logFor('worker', environment.PAYRUN_LOG_LEVEL, io),
    print: (line) => io.stdout.write(`payrun worker: ${line}\n`),
    onReady: () => io.stdout.write('payrun worker is ready\n'),
    stopSignal: stopOnSignal(),
  });
}

/** `payrun server`. */
export async function serverCommand(io: CommandIo): Promise<void> {
  const environment = readServerEnvironment(io.env);
  const installation = readServerInstallation(environment, io.cwd);
  const { runServer } = await import('./run-server.ts');
  await runServer({
    environment,
    installation,
    log: logFor('server', environment.PAYRUN_LOG_LEVEL, io),
    print: (line) => io.stdout.write(`payrun server: ${line}\n`),
    onReady: (url) => io.stdout.write(`payrun server is ready on ${url}\n`),
    stopSignal: stopOnSignal(),
  });
}

/** `payrun sandbox`. */
export async function sandboxCommand(io: CommandIo, flags: ParsedFlags): Promise<void> {
  const stopSignal = stopOnSignal();
  const report = (line: string): boolean => io.stderr.write(`payrun sandbox: ${line}\n`);
  const { startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox({ ...sandboxOptions(flags, io.cwd), report }).catch((error: unknown) => {
    throw error instanceof StateFileError ? new WrongInput(error.message) : error;
  });
  io.stdout.write(`payrun sandbox is ready on ${sandbox.url}\n`);
  if (!stopSignal.aborted) await new Promise((resolve) => stopSignal.addEventListener('abort', resolve));
  await sandbox.close();
}

function sandboxOptions(flags: ParsedFlags, workingDir: string): ReturnType<typeof optionsFromFlags> {
  try {
    return optionsFromFlags(flags, workingDir);
  } catch (error) {
    throw new WrongInput(error instanceof Error ? error.message : String(error));
  }
}

/** Logs are lines of JSON on standard error. */
function logFor(service: string, level: string, io: CommandIo): Logger {
  return pino({ name: `payrun-${service}`, level, base: { service } }, io.stderr);
}

function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
