import type { Command } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { examples } from '../client/cli/help.ts';
import type * as KeyCommand from './run-key-command.ts';

interface Json {
  json?: boolean;
}

/** Adds `payrun keys`: the data keys of the installation, which personal data is encrypted with. */
export function addKeyCommands(program: Command, io: CommandIo): void {
  const keys = program.command('keys').description('the data keys, which personal data is encrypted with');
  keys
    .command('new')
    .description('create a data key, and print it once or prepend it to a key file')
    .option('--file <path>', 'the key file, which is created if there is none; the key is not printed then')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun keys new --file /etc/payrun/data-key'))
    .action(async ({ file, json = false }: Json & { file?: string }) => {
      const { makeKey } = await keyCommand();
      await makeKey(io, { file, json });
    });
  keys
    .command('check')
    .description('list the data keys that are configured, and those that are needed; exit code 2 if one is missing')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json = false }: Json) => {
      const { checkKeys } = await keyCommand();
      process.exitCode = await checkKeys(io, { json });
    });
  keys
    .command('rotate')
    .description("wrap everything with the current data key, as the database's owner; former keys are then not needed")
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json = false }: Json) => {
      const { rotate } = await keyCommand();
      await rotate(io, { json });
    });
  keys
    .command('reindex')
    .description(
      "when the secret that recognizes mail addresses is gone for good: make a new one, as the database's owner, for the cases that can be read",
    )
    .option('--yes', 'do not ask: for scripts')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ yes = false, json = false }: Json & { yes?: boolean }) => {
      const { reindex } = await keyCommand();
      await reindex(io, { yes, json });
    });
}

/** Loads what reaches the database only for these commands. */
function keyCommand(): Promise<typeof KeyCommand> {
  return import('./run-key-command.ts');
}
