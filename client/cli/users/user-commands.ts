import { type Command, Option } from 'commander';
import { isGrantedByTwo, type Role, ROLES } from '../../../domain/users/role.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { printMailed } from './mailed-code.ts';
import { addSessionCommands } from './session-commands.ts';
import { userOf } from './user-named.ts';
import {
  renderChangeState,
  renderDecidingRoles,
  renderDoneOrChange,
  renderInvitation,
  renderUsers,
} from './render-users.ts';

interface Json {
  json?: boolean;
}

const roleOption = (): Option =>
  new Option('--role <role...>', 'one or more roles').choices(ROLES).makeOptionMandatory();

export function addUserCommands(program: Command, io: CommandIo): void {
  const users = program
    .command('users')
    .description('users and their roles; every role but auditor needs two administrators');

  users
    .command('list')
    .description('list all users and their roles; roles in brackets need a second administrator')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const list = await (await connect(io)).listUsers();
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderUsers(list.users)));
    });

  users
    .command('add')
    .description(
      'add a user; mails a code that works once to them, or prints it where the server sends no mails (for some roles: later, by users invite, when a second administrator has confirmed)',
    )
    .argument('<login>', 'the login: lower-case letters, digits and . _ @ + -')
    .requiredOption('--name <name>', 'the name that others see')
    .option('--mail <address>', 'the mail address that codes go to; needed where the server sends mails')
    .addOption(roleOption())
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users add mia --name "Mia Maker" --role maker --mail mia@example.com'))
    .action(async (login: string, { name, role: roles, mail, json }: AddOptions) => {
      const added = await (await connectToChange(io)).addUser({ login, name, roles, mail: mail ?? null });
      if (added.mailed !== null) return printMailed(io, added, added.mailed, { login, json });
      if (json === true) return writeJson(io, added);
      if (added.change !== null) await writeLine(io.stderr, renderDecidingRoles(added.change));
      if (added.invitation === null) {
        if (added.invitationChange !== null) {
          await writeLine(io.stderr, `The code to sign in: ${renderChangeState(added.invitationChange)}`);
        }
        return writeLine(io.stderr, `When both are in effect, run '${inviteCommand(login)}' to get the code.`);
      }
      await writeLine(io.stderr, renderInvitation(added.invitation, login));
      await writeLine(io.stdout, printable(added.invitation.code));
    });

  users
    .command('invite')
    .description(
      'create a new code for a user who can no longer sign in, and mail it to them, or print it where the server sends no mails',
    )
    .argument('<login>', 'the user')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users invite mia'))
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const invited = await client.inviteUser({ userId });
      if ('mailed' in invited) return printMailed(io, invited, invited.mailed, { login, json });
      if (json === true) return writeJson(io, invited);
      if ('change' in invited) {
        const state = renderChangeState(invited.change);
        return writeLine(io.stdout, `${state} Then run this command again to get the code.`);
      }
      await writeLine(io.stderr, renderInvitation(invited.invitation, login));
      await writeLine(io.stdout, printable(invited.invitation.code));
    });

  addMailCommand(users, io);
  addRoleCommands(users, io);
  addDisablingCommands(users, io);
  addLimitCommand(users, io);
  addSessionCommands(users, io);
}

interface AddOptions extends Json {
  name: string;
  role: Role[];
  mail?: string;
}

function addMailCommand(users: Command, io: CommandIo): void {
  users
    .command('mail')
    .description('propose another mail address, where codes of a user go; a second administrator confirms it')
    .argument('<login>', 'the user')
    .argument('<address>', 'the mail address')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users mail mia mia@example.com'))
    .action(async (login: string, mail: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const change = await client.setMail({ userId, mail });
      await (json === true ? writeJson(io, change) : writeLine(io.stdout, renderChangeState(change)));
    });
}

function addRoleCommands(users: Command, io: CommandIo): void {
  users
    .command('grant')
    .description('give a user roles')
    .argument('<login>', 'the user')
    .addOption(roleOption())
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users grant chris --role checker'))
    .action(async (login: string, { role, json }: Json & { role: Role[] }) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const change = await client.grantRoles({ userId, roles: role });
      if (json === true) return writeJson(io, change);
      await writeLine(io.stdout, renderChangeState(change));
      if (change.state === 'pending' && role.some(isGrantedByTwo)) {
        const next = `A user who had none of the roles that two administrators give must then sign in again with a new code: ${inviteCommand(login)}`;
        await writeLine(io.stderr, next);
      }
    });

  users
    .command('revoke')
    .description('take roles away from a user; those that decide need a second administrator')
    .argument('<login>', 'the user')
    .addOption(roleOption())
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users revoke chris --role checker'))
    .action(async (login: string, { role: roles, json }: Json & { role: Role[] }) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const removed = [];
      for (const role of roles) removed.push({ role, ...(await client.removeRole({ userId, role })) });
      if (json === true) return writeJson(io, { userId, removed });
      for (const { role, change } of removed) {
        await writeLine(io.stdout, renderDoneOrChange(change, `${login} is no longer ${role}.`));
      }
    });
}

function addDisablingCommands(users: Command, io: CommandIo): void {
  users
    .command('disable')
    .description('disable a user: their tokens stop working; of one who decides it needs a second administrator')
    .argument('<login>', 'the user')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users disable mia'))
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const { change } = await client.disableUser({ userId });
      await (json === true
        ? writeJson(io, { userId, change })
        : writeLine(io.stdout, renderDoneOrChange(change, `Disabled ${login}.`)));
    });

  users
    .command('enable')
    .description('enable a user again; they need a new code to sign in')
    .argument('<login>', 'the user')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun users enable mia'))
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const change = await client.enableUser({ userId });
      await (json === true ? writeJson(io, change) : writeLine(io.stdout, renderChangeState(change)));
    });
}

function addLimitCommand(users: Command, io: CommandIo): void {
  users
    .command('limit')
    .description('limit a user to some of the accounts with the provider; it may need two administrators')
    .argument('<login>', 'the user')
    .addOption(new Option('--account <account...>', 'the accounts that the user may use').conflicts('allAccounts'))
    .option('--all-accounts', 'no limit: the user may use all accounts')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples('payrun users limit mia --account subsidiary', 'payrun users limit mia --all-accounts'),
    )
    .action(async (login: string, { account, allAccounts, json }: LimitOptions) => {
      if (account === undefined && allAccounts !== true) throw new WrongInput('give --account or --all-accounts');
      const accounts = account ?? null;
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      const limited = await client.limitUser({ userId, accounts });
      if (json === true) return writeJson(io, limited);
      const done = accounts === null ? 'may use all accounts' : `may only use ${accounts.join(', ')}`;
      await writeLine(io.stdout, renderDoneOrChange(limited.change, `${login} ${done}.`));
    });
}

interface LimitOptions extends Json {
  account?: string[];
  allAccounts?: boolean;
}

const inviteCommand = (login: string): string => `payrun users invite ${printable(login)}`;
