import type { Command } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { writeJson, writeLine } from '../client/cli/command-io.ts';
import { findServer } from '../client/cli/connection.ts';
import { WrongInput } from '../client/cli/exit-code.ts';
import { examples } from '../client/cli/help.ts';
import { printable } from '../client/cli/printable.ts';
import { textTable } from '../client/cli/text-table.ts';
import { moment } from '../client/cli/wording.ts';
import { addSignIn } from '../config/sign-ins.ts';
import { Refused } from '../store/database/call-as-user.ts';
import { inviteAdministrator, isSandboxDatabase } from '../store/users/owner-users.ts';
import { readEnvironment } from '../config/environment.ts';
import { signInLink } from '../domain/users/sign-in-link.ts';
import { addExampleUsers } from '../local/demo/example-users.ts';
import { ownerDatabase } from './owner-database.ts';

interface AdministratorOptions {
  name: string;
  recover?: boolean;
  json?: boolean;
}

/** The commands that act as the database's owner: the first administrator, and example users. */
export function addOwnerCommands(program: Command, io: CommandIo): void {
  program
    .command('administrator')
    .description("add the first administrator, as the database's owner; prints a code that works once, for 15 minutes")
    .argument('<login>', 'the login: lower-case letters, digits and . _ @ + -')
    .requiredOption('--name <name>', 'the name that others see')
    .option('--recover', 'add one even if another administrator can sign in; the audit trail shows it to everyone')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun administrator ada --name "Ada Administrator"'))
    .action(async (login: string, { name, recover = false, json }: AdministratorOptions) => {
      const ownerUrl = ownerDatabase(readEnvironment(io.env), io.cwd);
      const { code, expiresAt } = await inviteAdministrator(ownerUrl, { login, name, recover }, Date.now).catch(
        asWrongInput,
      );
      const link = signInLink(findServer(io).url, code);
      if (json === true) return writeJson(io, { login, code, link, expiresAt: expiresAt.toISOString() });
      await writeLine(
        io.stderr,
        `The code for ${printable(login)} works once, until ${moment(expiresAt.toISOString())}. ` +
          `The administrator opens ${printable(link)} or runs 'payrun login' and enters it:`,
      );
      await writeLine(io.stdout, code);
    });

  program.commands
    .find((command) => command.name() === 'users')
    ?.command('examples')
    .description(
      'add a maker, a checker, a treasurer, an onboarder and an administrator for trying payrun with its sandbox, and sign them in here',
    )
    .option('--json', 'one JSON document on stdout')
    .action(({ json }: { json?: boolean }) => addExamples(io, json === true));
}

async function addExamples(io: CommandIo, json: boolean): Promise<void> {
  const ownerUrl = ownerDatabase(readEnvironment(io.env), io.cwd);
  // guard: examples-in-sandbox
  if (!(await isSandboxDatabase(ownerUrl))) {
    throw new WrongInput(
      'example users are only for the sandbox, but this payrun belongs to a real provider, or to none yet',
    );
  }
  const { url, home } = findServer(io);
  const users = await addExampleUsers(ownerUrl, Date.now);
  for (const { login, token } of users) addSignIn(home, { url, login, token }, Date.now);
  const shown = users.map(({ login, name, role }) => ({ login, name, role }));
  if (json) return writeJson(io, { url, users: shown });
  const table = textTable(
    [{ title: 'Login' }, { title: 'Name' }, { title: 'Role' }, { title: 'For example' }],
    shown.map(({ login, name, role }) => [login, name, role, EXAMPLE_COMMAND[role]]),
  );
  await writeLine(io.stdout, `Signed in at ${printable(url)} from this folder:\n\n${table}`);
}

const EXAMPLE_COMMAND = {
  maker: 'payrun submit FILE --as mia',
  checker: 'payrun approve RUN --as chris',
  treasurer: 'payrun treasury schedule add FILE --as tina',
  onboarder: 'payrun onboard submit FILE --as olivia',
  administrator: 'payrun users list --as ada',
} as const;

function asWrongInput(error: unknown): never {
  if (error instanceof Refused) throw new WrongInput(error.message);
  throw error;
}
