import { type Command, Option } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { EXIT, exitCodeOf } from '../client/cli/exit-code.ts';
import { examples, GROUP } from '../client/cli/help.ts';
import { sandboxFlags } from '../sandbox/config/flags.ts';
import { addKeyCommands } from './key-commands.ts';
import { addOwnerCommands } from './user-commands.ts';
import { addVersionCommands } from './version-commands.ts';

/** Adds the commands that run or operate payrun's services. The code of each is loaded only when it is called. */
export function addServiceCommands(program: Command, io: CommandIo): void {
  program.commandsGroup(GROUP.operations);
  addLocalCommands(program, io);
  addProcessCommands(program, io);
  addDatabaseCommands(program, io);
  addOwnerCommands(program, io);
  addKeyCommands(program, io);
  addVersionCommands(program, io);
  addSandboxCommand(program, io);
}

interface DemoFlags {
  onboarding?: boolean;
  treasury?: boolean;
  keep?: boolean;
  json?: boolean;
}

function addLocalCommands(program: Command, io: CommandIo): void {
  program
    .command('demo')
    .description('run payrun on a CSV of 48 payments, against the sandbox')
    .option('--onboarding', 'onboard a person and a company in place of the payments')
    .addOption(
      new Option('--treasury', 'convert by schedules, pay a run with it, and close the books of a day').conflicts(
        'onboarding',
      ),
    )
    .option('--keep', 'keep everything running afterwards, until Ctrl-C')
    .option('--json', 'one JSON document on stdout at the end')
    .action(async ({ onboarding = false, treasury = false, keep = false, json = false }: DemoFlags) => {
      const { runDemo } = await import('../local/demo/run-demo.ts');
      process.exitCode = await runDemo(io, treasury ? 'treasury' : onboarding ? 'onboarding' : 'payments', {
        keep,
        json,
      });
    });
  program
    .command('up')
    .description('run everything on this machine; services that the environment does not name are embedded')
    .option('--paused', 'start with all payments stopped; two people lift that with payrun resume --all')
    .option('--restored', 'the same with a restored backup: schedules are paused, and open orders are looked up')
    .option('--json', 'one JSON document on stdout with the addresses, once everything runs')
    .action(async (flags: { json?: boolean; paused?: boolean; restored?: boolean }) => {
      const { json = false, paused = false, restored = false } = flags;
      const { runUp } = await import('../local/up.ts');
      process.exitCode = await runUp(io, { json, paused, restored });
    });
}

function addProcessCommands(program: Command, io: CommandIo): void {
  program
    .command('worker')
    .description('run a worker, which carries out runs and calls the provider')
    .option('--set-current', 'make its version current as soon as it is ready')
    .option('--take-over', 'take over open payments of versions that no longer have a worker')
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
}

function addDatabaseCommands(program: Command, io: CommandIo): void {
  program
    .command('migrate')
    .description("migrate the database to this version's schema, as its owner")
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { runMigrate } = await import('./run-migrate.ts');
      await serve('migrate', io, () => runMigrate(io, { json }));
    });
  program
    .command('doctor')
    .description('check the configuration, the services and the credentials of the provider')
    .option('--json', 'one JSON document on stdout')
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('./doctor.ts');
      process.exitCode = await runDoctor(io, { json: options.json ?? false });
    });
}

/** A service that cannot start or continue is not a bug of the command line: something that it needs is missing. */
async function serve(command: string, io: CommandIo, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (exitCodeOf(error) === EXIT.wrongInput) throw error;
    io.stderr.write(`payrun ${command}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = EXIT.unreachable;
  }
}

function addSandboxCommand(program: Command, io: CommandIo): void {
  const sandbox = program.command('sandbox').description('run only the simulated provider');
  for (const flag of sandboxFlags) {
    const term = flag.value === 'none' ? `--${flag.name}` : `--${flag.name} <${flag.value}>`;
    const description = flag.default === null ? flag.description : `${flag.description} (default: ${flag.default})`;
    const option = new Option(term, description).helpGroup(`${flag.group}:`);
    if (flag.repeatable) option.argParser((value, before: string[] | undefined) => [...(before ?? []), value]);
    sandbox.addOption(option);
  }
  sandbox.addHelpText('after', examples('payrun sandbox --port 8800'));
  sandbox.action(async (flags: Record<string, string | true | string[] | undefined>) => {
    const { sandboxCommand } = await import('./service-processes.ts');
    await serve('sandbox', io, () => sandboxCommand(io, flags));
  });
}
