import type { Command } from 'commander';
import { signInLink } from '../../../domain/users/sign-in-link.ts';
import type { SessionSummary } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect, findServer } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment } from '../wording.ts';
import { renderChangeState } from './render-users.ts';
import { printMailed } from './mailed-code.ts';
import { userOf } from './user-named.ts';

interface Json {
  json?: boolean;
}

/** One-time links to the console, and its sessions. */
export function addSessionCommands(users: Command, io: CommandIo): void {
  users
    .command('link')
    .description(
      'make a one-time link to the console for a user, which goes to them by mail where the server sends mails; for some users a second administrator confirms it first',
    )
    .argument('<login>', 'the user')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users link mia'))
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const invited = await client.inviteUser({ userId });
      if ('mailed' in invited) return printMailed(io, invited, invited.mailed, { login, json });
      if ('change' in invited) {
        if (json === true) return writeJson(io, invited);
        const state = renderChangeState(invited.change);
        return writeLine(io.stdout, `${state} Then run this command again to get the link.`);
      }
      const { code, expiresAt } = invited.invitation;
      const link = signInLink(findServer(io).url, code);
      if (json === true) return writeJson(io, { login, link, expiresAt });
      await writeLine(
        io.stderr,
        `The link for ${printable(login)} works once, until ${moment(expiresAt)}. Whoever has it signs in as them:`,
      );
      await writeLine(io.stdout, printable(link));
    });

  users
    .command('sessions')
    .description('list your sessions of the console, or those of all users as an administrator')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const list = await (await connect(io)).listSessions();
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderSessions(list.sessions)));
    });

  users
    .command('end-session')
    .description('end a session of yours, or any as an administrator')
    .argument('<session>', 'its id, from users sessions')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users end-session SESSION'))
    .action(async (sessionId: string, { json }: Json) => {
      await (await connectToChange(io)).endSession({ sessionId });
      await (json === true
        ? writeJson(io, { sessionId, ended: true })
        : writeLine(io.stdout, 'The session has ended.'));
    });
}

function renderSessions(sessions: readonly SessionSummary[]): string {
  if (sessions.length === 0) return 'There are no sessions.';
  return textTable(
    [
      { title: 'Session' },
      { title: 'User' },
      { title: 'By' },
      { title: 'From' },
      { title: 'Browser', maxWidth: 40 },
      { title: 'Begun' },
      { title: 'Last active' },
      { title: 'State' },
    ],
    sessions.map((session) => [
      session.sessionId,
      session.login ?? session.userId,
      session.method,
      session.address ?? '',
      session.browser ?? '',
      moment(session.createdAt),
      session.lastUsedAt === null ? 'never' : moment(session.lastUsedAt),
      session.isActive ? 'active' : 'ended',
    ]),
  );
}
