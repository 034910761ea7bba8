import type { Command } from 'commander';
import type { PayrunClient } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeLine } from '../command-io.ts';
import { ask, canAsk } from '../confirm.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';

/** Prints a secret for the app. The code that it shows then; null: nobody can be asked for it. */
async function newSecret(client: PayrunClient, io: CommandIo): Promise<string | null> {
  const { secret, uri } = await client.beginTotp();
  await writeLine(io.stderr, 'Give your authenticator app this secret, or the address as a QR code:');
  await writeLine(io.stdout, printable(secret));
  await writeLine(io.stderr, printable(uri));
  return canAsk(io) ? ask(io, 'Which code does the app show?') : null;
}

/** Passkeys are added at the console. */
export function addSecondFactorCommand(program: Command, io: CommandIo): void {
  program
    .command('second-factor')
    .description('add an authenticator app as your second factor, within 15 minutes after payrun login with a code')
    .addHelpText(
      'after',
      `\nPrints a secret for the app, and asks for a code that it shows. Without a terminal, give the code to a second call.${examples(
        'payrun second-factor --as ada',
        'payrun second-factor --code 123456',
      )}`,
    )
    .action(async () => {
      const client = await connectToChange(io);
      const code = io.code ?? (await newSecret(client, io));
      if (code === null) {
        return writeLine(
          io.stderr,
          'Then confirm it with a code that the app shows: payrun second-factor --code DIGITS',
        );
      }
      await client.confirmTotp({ code });
      const { totp } = (await client.getSession()).factors;
      const next =
        totp?.counts === false
          ? 'It counts once another administrator than who made your code confirms it (payrun changes list): tell them.'
          : 'It is asked for where the policy asks for a second factor.';
      await writeLine(io.stderr, `Added. ${next}`);
    });
}
