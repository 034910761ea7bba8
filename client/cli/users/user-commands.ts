import { type Command, Option } from 'commander';
import { isDecidingRole, type Role, ROLES } from '../../../domain/users/role.ts';
import type { UserSummary } from '../../../application/users/user-api.ts';
import type { PayrunClient } from '../../sdk/payrun-client.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { renderChangeState, renderDecidingRoles, renderInvitation, renderUsers } from './render-users.ts';

interface Json {
  json?: boolean;
}

const roleOption = (): Option =>
  new Option('--role <role...>', 'what they may do; several may be given').choices(ROLES).makeOptionMandatory();

export function addUserCommands(program: Command, io: CommandIo): void {
  const users = program.command('users').description('who may do what; roles that decide take two administrators');

  users
    .command('list')
    .description('list all users and their roles; those in brackets wait for a second administrator')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const list = await (await connect(io)).users.list();
      await (json === true ? writeJson(io, { users: list }) : writeLine(io.stdout, renderUsers(list)));
    });

  users
    .command('add')
    .description('add a user; the code by which they sign in is shown this once, or later if they shall decide')
    .argument('<login>', 'what they sign in as: small letters, digits and . _ @ + -')
    .requiredOption('--name <name>', 'how others see them')
    .addOption(roleOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { name, role: roles, json }: Json & { name: string; role: Role[] }) => {
      const added = await (await connectToChange(io)).users.add({ login, name, roles });
      if (json === true) return writeJson(io, added);
      if (added.change !== null) await writeLine(io.stderr, renderDecidingRoles(added.change));
      if (added.invitation === null) {
        if (added.invitationChange !== null) {
          await writeLine(io.stderr, `Of their code: ${renderChangeState(added.invitationChange)}`);
        }
        return writeLine(io.stderr, `When both are in effect, type '${inviteCommand(login)}' to get the code.`);
      }
      await writeLine(io.stderr, renderInvitation(added.invitation, login));
      await writeLine(io.stdout, printable(added.invitation.code));
    });

  users
    .command('invite')
    .description('make a new code for a user who cannot sign in any more')
    .argument('<login>', 'who')
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const invited = await client.users.invite((await userOf(client, login)).userId);
      if (json === true) return writeJson(io, invited);
      if ('change' in invited) {
        const state = renderChangeState(invited.change);
        return writeLine(io.stdout, `${state} Then type this again to get the code.`);
      }
      await writeLine(io.stderr, renderInvitation(invited.invitation, login));
      await writeLine(io.stdout, printable(invited.invitation.code));
    });

  addRoleCommands(users, io);
  addDisablingCommands(users, io);
}

function addRoleCommands(users: Command, io: CommandIo): void {
  users
    .command('grant')
    .description('give a user roles')
    .argument('<login>', 'whom')
    .addOption(roleOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { role, json }: Json & { role: Role[] }) => {
      const client = await connectToChange(io);
      const change = await client.users.grantRoles((await userOf(client, login)).userId, role);
      if (json === true) return writeJson(io, change);
      await writeLine(io.stdout, renderChangeState(change));
      if (change.state === 'pending' && role.some(isDecidingRole)) {
        const then = `Unless they decide on something already, they then sign in again, by a new code: ${inviteCommand(login)}`;
        await writeLine(io.stderr, then);
      }
    });

  users
    .command('revoke')
    .description('take roles away from a user, at once')
    .argument('<login>', 'from whom')
    .addOption(roleOption())
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { role: roles, json }: Json & { role: Role[] }) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      for (const role of roles) await client.users.removeRole(userId, role);
      const done = `${login} is ${roles.join(', ')} no longer.`;
      await (json === true ? writeJson(io, { userId, revoked: roles }) : writeLine(io.stdout, printable(done)));
    });
}

function addDisablingCommands(users: Command, io: CommandIo): void {
  users
    .command('disable')
    .description('keep a user out, at once: their tokens work no longer')
    .argument('<login>', 'whom')
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { userId } = await userOf(client, login);
      await client.users.disable(userId);
      await (json === true
        ? writeJson(io, { userId, disabled: true })
        : writeLine(io.stdout, `Disabled ${printable(login)}.`));
    });

  users
    .command('enable')
    .description('let a user in again; they need a new code to sign in')
    .argument('<login>', 'whom')
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { json }: Json) => {
      const client = await connectToChange(io);
      const change = await client.users.enable((await userOf(client, login)).userId);
      await (json === true ? writeJson(io, change) : writeLine(io.stdout, renderChangeState(change)));
    });
}

const inviteCommand = (login: string): string => `payrun users invite ${printable(login)}`;

/** By login, or by id. */
async function userOf(client: PayrunClient, login: string): Promise<UserSummary> {
  const user = (await client.users.list()).find((candidate) => candidate.login === login || candidate.userId === login);
  if (user === undefined) throw new WrongInput(`there is no user ${printable(login)}: see 'payrun users list'`);
  return user;
}
