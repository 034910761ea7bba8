import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { TOKEN_SCOPES, type TokenScope } from '../../../domain/users/token-scope.ts';
import type { TokenSummary } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';

interface CreateOptions {
  label: string;
  days: number;
  scope: TokenScope[];
  json?: boolean;
}

export function addTokenCommands(program: Command, io: CommandIo): void {
  const tokens = program.command('tokens').description('the tokens with which people and programs sign in');

  tokens
    .command('list')
    .description('list your tokens (an administrator: all tokens), without their secrets')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const list = await (await connect(io)).listTokens();
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderTokens(list.tokens)));
    });

  tokens
    .command('create')
    .description('create a token for yourself, for example for a program; it is shown only once')
    .option('--label <text>', 'what it is for', 'command line')
    .addOption(
      new Option('--scope <scope...>', 'what it may be used for; every token reads')
        .choices(TOKEN_SCOPES)
        .default(['read']),
    )
    .option(
      '--days <count>',
      'days until it expires, at most those of the token that you are signed in by; 24 hours at most with the scope decide',
      dayCount,
      90,
    )
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun tokens create --scope read --label "nightly report" --days 30',
        'payrun tokens create --scope submit --label ERP',
      ),
    )
    .action(async ({ label, days, scope, json }: CreateOptions) => {
      const created = await (await connectToChange(io)).issueToken({ label, validDays: days, scopes: scope });
      if (json === true) return writeJson(io, created);
      // Only the token goes to stdout, so that it can be piped into a secret store.
      await writeLine(
        io.stderr,
        `Token ${printable(created.tokenId)}, to ${inWords(created.scopes)}, valid until ${moment(created.expiresAt)}. It ends with the token that you are signed in by, also by ` +
          'payrun logout; one that goes on is made at the console. Shown only once:',
      );
      await writeLine(io.stdout, printable(created.token));
    });

  tokens
    .command('revoke')
    .description('revoke a token of yours (an administrator: any token), and those that were made with it')
    .argument('<token>', "the token's id, from `tokens list`")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun tokens revoke TOKEN'))
    .action(async (tokenId: string, { json }: { json?: boolean }) => {
      await (await connectToChange(io)).revokeToken({ tokenId });
      await (json === true
        ? writeJson(io, { tokenId, revoked: true })
        : writeLine(io.stdout, `Revoked ${printable(tokenId)}.`));
    });
}

function dayCount(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 366) throw new InvalidArgumentError('Give a number from 1 to 366.');
  return days;
}

/** Tokens as a table, without their secrets. */
export function renderTokens(tokens: readonly TokenSummary[]): string {
  if (tokens.length === 0) return 'There are no tokens.';
  return textTable(
    [
      { title: 'Token' },
      { title: 'User', maxWidth: 24 },
      { title: 'For', maxWidth: 30 },
      { title: 'May' },
      { title: 'Last used' },
      { title: 'State' },
    ],
    tokens.map((token) => [
      token.tokenId,
      token.name,
      token.label,
      inWords(token.scopes),
      token.lastUsedAt === null ? 'never' : moment(token.lastUsedAt),
      stateOf(token),
    ]),
  );
}

/** In the order in which they are explained. */
const inWords = (scopes: readonly TokenScope[]): string =>
  TOKEN_SCOPES.filter((scope) => scopes.includes(scope)).join(', ');

function stateOf({ revokedAt, expiresAt }: TokenSummary): string {
  if (revokedAt !== null) return `revoked on ${moment(revokedAt)}`;
  return expiresAt === null ? 'valid' : `valid until ${moment(expiresAt)}`;
}
