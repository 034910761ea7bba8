import { type Command, InvalidArgumentError } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { EXIT } from '../client/cli/exit-code.ts';
import type * as Operations from '../workers/versions/operate-versions.ts';

/** Adds `payrun versions`: which builds pay, and which of them begins what is new. */
export function addVersionCommands(program: Command, io: CommandIo): void {
  const versions = program.command('versions').description('the versions of payrun that workers run, for upgrades');
  versions
    .command('list', { isDefault: true })
    .description('list the versions, their open payments, and whether a worker serves them')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json = false }: { json?: boolean }) => {
      await operate(io, ({ listVersions }) => listVersions(io, json));
    });
  versions
    .command('set-current')
    .description('let new payments begin on a version, and runs go over to it')
    .argument('<build>', "the version, as list gives it; an earlier one's undoes an upgrade")
    .option('--ramp <percent>', 'only for this part of them, to try it', percent)
    .action(async (buildId: string, { ramp = null }: { ramp?: number | null }) => {
      await operate(io, ({ setCurrentVersion }) => setCurrentVersion(io, buildId, ramp));
    });
  versions
    .command('take-over')
    .description("go on with a version's open payments as this version, when none of its workers will come back")
    .argument('<build>', 'the version whose payments are taken over')
    .action(async (buildId: string) => {
      await operate(io, ({ takeOverVersion }) => takeOverVersion(io, buildId));
    });
}

/** What it takes is loaded only when it is called. */
async function operate(io: CommandIo, work: (operations: typeof Operations) => Promise<void>): Promise<void> {
  const operations = await import('../workers/versions/operate-versions.ts');
  try {
    await work(operations);
  } catch (error) {
    if (!(error instanceof operations.TemporalUnreachableError)) throw error;
    io.stderr.write(`payrun versions: ${error.message}\n`);
    process.exitCode = EXIT.unreachable;
  }
}

function percent(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('give a number from 0 to 100.');
}
