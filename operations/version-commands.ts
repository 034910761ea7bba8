import type { Command } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { examples } from '../client/cli/help.ts';
import type * as VersionCommands from './run-version-command.ts';

interface Json {
  json?: boolean;
}

/** Adds `payrun versions`: lists the versions, and says which one starts new payments. */
export function addVersionCommands(program: Command, io: CommandIo): void {
  const versions = program.command('versions').description('the versions of payrun that workers run, for upgrades');
  versions
    .command('list', { isDefault: true })
    .description('list the versions, their open payments, and whether a worker serves them')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json = false }: Json) => {
      const { listVersions } = await versionCommands();
      await listVersions(io, json);
    });
  versions
    .command('set-current')
    .description('make a version current: new payments start on it, and runs continue on it')
    .argument('<build>', 'the version, from `versions list`; an earlier one undoes an upgrade')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun versions set-current BUILD'))
    .action(async (buildId: string, { json = false }: Json) => {
      const { setCurrentVersion } = await versionCommands();
      await setCurrentVersion(io, buildId, json);
    });
  versions
    .command('take-over')
    .description("continue a version's open payments on this version, when its workers do not come back")
    .argument('<build>', 'the version whose payments are taken over')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun versions take-over BUILD'))
    .action(async (buildId: string, { json = false }: Json) => {
      const { takeOverVersion } = await versionCommands();
      await takeOverVersion(io, buildId, json);
    });
}

/** The Temporal SDK takes a second to load, so it is loaded only for these commands. */
function versionCommands(): Promise<typeof VersionCommands> {
  return import('./run-version-command.ts');
}
