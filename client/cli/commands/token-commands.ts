import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Role } from '../../../domain/role.ts';
import { ROLES } from '../../../domain/role.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { printable } from '../printable.ts';
import { renderTokens } from '../render-lists.ts';

interface CreateOptions {
  role: Role;
  label: string;
  days?: number;
  json?: boolean;
}

export function addTokenCommands(program: Command, io: CommandIo): void {
  const tokens = program.command('tokens').description('the tokens by which people and programs sign in');

  tokens
    .command('list')
    .description('list all tokens, without their secrets')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const list = await (await connect(io)).tokens.list();
      await (json === true ? writeJson(io, { tokens: list }) : writeLine(io.stdout, renderTokens(list)));
    });

  tokens
    .command('create')
    .description('make a token; it is shown this once')
    .argument('<person>', 'whose it is')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--label <text>', 'what it is for', 'command line')
    .option('--days <count>', 'how long it is valid; without it, until it is revoked', wholeDays)
    .option('--json', 'one JSON document on stdout')
    .action(
      async (
        name: string,
        { role, label, days = null, json }: Omit<CreateOptions, 'days'> & { days?: number | null },
      ) => {
        const created = await (await connect(io)).tokens.create({ name, role, label, validDays: days });
        if (json === true) return writeJson(io, created);
        // The token alone on stdout, so that it can be piped into a secret store.
        await writeLine(
          io.stderr,
          `Token ${printable(created.summary.tokenId)} for ${printable(name)}, shown this once:`,
        );
        await writeLine(io.stdout, printable(created.token));
      },
    );

  tokens
    .command('revoke')
    .description('make a token useless')
    .argument('<token>', "the token's id, as list gives it")
    .option('--json', 'one JSON document on stdout')
    .action(async (tokenId: string, { json }: { json?: boolean }) => {
      await (await connect(io)).tokens.revoke(tokenId);
      await (json === true
        ? writeJson(io, { tokenId, revoked: true })
        : writeLine(io.stdout, `Revoked ${printable(tokenId)}.`));
    });
}

function wholeDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 3650) throw new InvalidArgumentError('It must be from 1 to 3650.');
  return days;
}
