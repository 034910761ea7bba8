import type { Command } from 'commander';
import type { CommandIo } from '../client/cli/command-io.ts';
import { writeJson, writeLine } from '../client/cli/command-io.ts';
import { findServer } from '../client/cli/connection.ts';
import { WrongInput } from '../client/cli/exit-code.ts';
import { printable } from '../client/cli/printable.ts';
import { textTable } from '../client/cli/text-table.ts';
import { moment } from '../client/cli/wording.ts';
import { addSignIn } from '../config/sign-ins.ts';
import { Refused } from '../store/approvals/authority.ts';
import { inviteAdministrator, isOfSandbox } from '../store/users/owner-users.ts';
import { readEnvironment } from '../config/environment.ts';
import { addExampleUsers } from '../local/demo/example-users.ts';
import { ownerDatabase } from './owner-database.ts';

interface AdministratorOptions {
  name: string;
  recover?: boolean;
  json?: boolean;
}

/** The verbs that need the database's owner: the first administrator, and users for a trial. */
export function addOwnerCommands(program: Command, io: CommandIo): void {
  program
    .command('administrator')
    .description("make the first administrator, as the database's owner: shows a code that works once, for 15 minutes")
    .argument('<login>', 'what they sign in as: small letters, digits and . _ @ + -')
    .requiredOption('--name <name>', 'how others see them')
    .option('--recover', 'also when there is one who could sign in; everyone sees it in the audit trail')
    .option('--json', 'one JSON document on stdout')
    .action(async (login: string, { name, recover = false, json }: AdministratorOptions) => {
      const ownerUrl = ownerDatabase(readEnvironment(io.env), io.cwd);
      const { code, expiresAt } = await inviteAdministrator(ownerUrl, { login, name, recover }, Date.now).catch(
        asWrongInput,
      );
      if (json === true) return writeJson(io, { login, code, expiresAt: expiresAt.toISOString() });
      await writeLine(
        io.stderr,
        `The code for ${printable(login)} works once, until ${moment(expiresAt.toISOString())}. ` +
          "They type 'payrun login' and give it there:",
      );
      await writeLine(io.stdout, code);
    });

  program.commands
    .find((command) => command.name() === 'users')
    ?.command('examples')
    .description(
      'add a maker, a checker and an administrator for trying payrun with its sandbox, and sign them in here',
    )
    .option('--json', 'one JSON document on stdout')
    .action(({ json }: { json?: boolean }) => addExamples(io, json === true));
}

async function addExamples(io: CommandIo, json: boolean): Promise<void> {
  const ownerUrl = ownerDatabase(readEnvironment(io.env), io.cwd);
  if (!(await isOfSandbox(ownerUrl))) {
    throw new WrongInput(
      'example users are for the sandbox alone, and this payrun belongs to a real provider, or to none yet',
    );
  }
  const { url, home } = findServer(io);
  const users = await addExampleUsers(ownerUrl, Date.now);
  for (const { login, token } of users) addSignIn(home, { url, login, token }, Date.now);
  const shown = users.map(({ login, name, role }) => ({ login, name, role }));
  if (json) return writeJson(io, { url, users: shown });
  const table = textTable(
    [{ title: 'Login' }, { title: 'Name' }, { title: 'Role' }, { title: 'For example' }],
    shown.map(({ login, name, role }) => [login, name, role, EXAMPLE_OF[role]]),
  );
  await writeLine(io.stdout, `Signed in at ${printable(url)} from this folder:\n\n${table}`);
}

const EXAMPLE_OF = {
  maker: 'payrun submit FILE --as mia',
  checker: 'payrun approve RUN --as chris',
  administrator: 'payrun users list --as ada',
} as const;

function asWrongInput(error: unknown): never {
  if (error instanceof Refused) throw new WrongInput(error.message);
  throw error;
}
