import type { Command } from 'commander';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { examples } from '../help.ts';
import { renderChangeState } from '../users/render-users.ts';

interface ProviderOptions {
  account: string;
  url: string;
  accessKeyId: string;
  json?: boolean;
}

export function addProviderCommand(program: Command, io: CommandIo): void {
  program
    .command('provider')
    .description('the provider that this payrun belongs to')
    .command('change')
    .description('propose a new address or access key of the provider; workers with any other are refused')
    .option('--account <name>', 'the account', 'default')
    .requiredOption('--url <address>', "the provider's address, as in PAYRUN_API_URL")
    .requiredOption('--access-key-id <id>', 'as in PAYRUN_ACCESS_KEY_ID; only a hash of it is kept')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun provider change --url https://api.provider.example --access-key-id ID'))
    .action(async ({ account, url: apiUrl, accessKeyId, json }: ProviderOptions) => {
      const client = await connectToChange(io);
      const state = await client.changeProvider({ account, apiUrl, accessKeyId });
      await (json === true ? writeJson(io, state) : writeLine(io.stdout, renderChangeState(state)));
    });
}
