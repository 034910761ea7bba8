import { type Command, Option } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { EXIT, WrongInput } from '../client/cli/exit-code.ts';
import { sandboxFlags } from '../sandbox/config/flags.ts';
import { addOwnerCommands } from './user-commands.ts';
import { addVersionCommands } from './version-commands.ts';

/** Adds the verbs that run payrun's own services. What each needs is loaded only when it is called. */
export function addServiceCommands(program: Command, io: CommandIo): void {
  program
    .command('demo')
    .description('show the whole of payrun on a CSV of 48 payments, against the sandbox')
    .option('--keep', 'leave everything running afterwards, until Ctrl-C')
    .option('--json', 'end with one JSON document on standard output')
    .action(async (options: { keep?: boolean; json?: boolean }) => {
      const { runDemo } = await import('../local/demo/run-demo.ts');
      process.exitCode = await runDemo(io, { keep: options.keep ?? false, json: options.json ?? false });
    });
  program
    .command('up')
    .description('run everything on this machine: what the environment does not name is embedded')
    .option('--paused', 'begin with all payments stopped: two people lift that (payrun resume --all)')
    .option('--json', 'print the addresses as one JSON document once all is up')
    .action(async ({ json = false, paused = false }: { json?: boolean; paused?: boolean }) => {
      const { runUp } = await import('../local/up.ts');
      process.exitCode = await runUp(io, { json, paused });
    });
  program
    .command('worker')
    .description('run a worker: it does the work of runs and speaks to the provider')
    .option('--set-current', 'make its version current as soon as it is ready')
    .option('--take-over', 'take over open payments of versions that no worker serves any more')
    .action(async ({ setCurrent = false, takeOver = false }: { setCurrent?: boolean; takeOver?: boolean }) => {
      const { workerCommand } = await import('./service-processes.ts');
      await serve('worker', io, () => workerCommand(io, { setCurrent, takeOver }));
    });
  program
    .command('server')
    .description('run the HTTP server: API, live events, webhooks')
    .action(async () => {
      const { serverCommand } = await import('./service-processes.ts');
      await serve('server', io, () => serverCommand(io));
    });
  program
    .command('migrate')
    .description("bring the database to this version's schema, as its owner")
    .option('--end-upgrade', 'take the rights of the role payrun_app: nothing of the version before runs any more')
    .option('--json', 'print one JSON document')
    .action(async ({ json = false, endUpgrade = false }: { json?: boolean; endUpgrade?: boolean }) => {
      const { runMigrate } = await import('./run-migrate.ts');
      await serve('migrate', io, () => runMigrate(io, { json, endUpgrade }));
    });
  program
    .command('doctor')
    .description('say what is configured and whether it can be reached')
    .option('--json', 'print one JSON document')
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('./doctor.ts');
      process.exitCode = await runDoctor(io, { json: options.json ?? false });
    });
  addOwnerCommands(program, io);
  addVersionCommands(program, io);
  addSandboxCommand(program, io);
}

/** A service that cannot start or go on is no bug of the command line: what it needs is missing or taken. */
async function serve(verb: string, io: CommandIo, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof WrongInput) throw error;
    io.stderr.write(`payrun ${verb}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = EXIT.unreachable;
  }
}

function addSandboxCommand(program: Command, io: CommandIo): void {
  const sandbox = program.command('sandbox').description('run the simulated provider alone');
  for (const flag of sandboxFlags) {
    const term = flag.value === 'none' ? `--${flag.name}` : `--${flag.name} <${flag.value}>`;
    const description = flag.default === null ? flag.description : `${flag.description} (default: ${flag.default})`;
    const option = new Option(term, description).helpGroup(`${flag.group}:`);
    if (flag.repeatable) option.argParser((value, before: string[] | undefined) => [...(before ?? []), value]);
    sandbox.addOption(option);
  }
  sandbox.action(async (flags: Record<string, string | true | string[] | undefined>) => {
    const { sandboxCommand } = await import('./service-processes.ts');
    await serve('sandbox', io, () => sandboxCommand(io, flags));
  });
}
