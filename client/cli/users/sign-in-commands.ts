import { hostname } from 'node:os';
import type { Command } from 'commander';
import { addSignIn, removeSignIn } from '../../../config/sign-ins.ts';
import { PayrunApiError, PayrunUnreachableError } from '../../sdk/errors.ts';
import { nameOf } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { clientOf, connect, findConnection, findServer } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { readSecret } from '../read-secret.ts';
import { counted, moment } from '../wording.ts';

/** What the codes of invitations begin with; tokens do not. */
const CODE = /^payrun_code_/;

interface Json {
  json?: boolean;
}

export function addSignInCommands(program: Command, io: CommandIo): void {
  program
    .command('login')
    .description('sign in with the code of an invitation, or with a token; it is asked for, or read from stdin')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const server = findServer(io);
      const secret = await readSecret(io, 'Code or token: ');
      if (secret === '') throw new WrongInput('give the code of an invitation, or a token');
      const token = CODE.test(secret) ? await tokenFor(io, secret) : secret;
      const self = await (await clientOf(io, { url: server.url, token })).me();
      if (self.login === null) throw new WrongInput('this user has no login yet: an administrator gives one');
      addSignIn(server.home, { url: server.url, login: self.login, token }, Date.now);
      if (json === true) return writeJson(io, { url: server.url, login: self.login, roles: self.roles });
      await writeLine(io.stdout, `Signed in at ${printable(server.url)} as ${nameOf(self)}.`);
    });

  program
    .command('logout')
    .description('sign out: the token that login saved is revoked and forgotten')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const { url, login } = findConnection(io, io.as === undefined ? {} : { as: io.as });
      if (login === null) throw new WrongInput(`nobody is signed in at ${url} from here`);
      const isRevoked = await revokeOwn(io);
      removeSignIn(findServer(io).home, { url, login });
      if (json === true) return writeJson(io, { url, login, revoked: isRevoked });
      const revoked = isRevoked ? '' : ' Its token could not be revoked, and works until it expires.';
      await writeLine(io.stdout, `Signed out ${printable(login)} at ${printable(url)}.${revoked}`);
    });

  program
    .command('whoami')
    .description('say who acts here, at which server and in which roles')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const { url } = findConnection(io, io.as === undefined ? {} : { as: io.as });
      const self = await (await connect(io)).me();
      if (json === true) return writeJson(io, { url, ...self });
      await writeLine(io.stdout, `${nameOf(self)}, at ${printable(url)}`);
      const pending = self.pendingChanges.length;
      if (pending > 0) await writeLine(io.stdout, `${counted(pending, 'change')} pending: payrun changes list`);
    });
}

async function tokenFor(io: CommandIo, code: string): Promise<string> {
  const client = await clientOf(io, { url: findServer(io).url, token: null });
  const { token, expiresAt } = await client.acceptInvitation({
    code,
    label: `command line on ${hostname()}`.slice(0, 100),
  });
  await writeLine(io.stderr, `The code is used up; the token that it gave works until ${moment(expiresAt)}.`);
  return token;
}

/** False when the server cannot be reached, or knows the token no longer. */
async function revokeOwn(io: CommandIo): Promise<boolean> {
  try {
    const client = await connect(io);
    await client.tokens.revoke((await client.me()).tokenId);
    return true;
  } catch (error) {
    if (error instanceof PayrunApiError || error instanceof PayrunUnreachableError) return false;
    throw error;
  }
}
