import { hostname } from 'node:os';
import type { Command } from 'commander';
import { addSignIn, removeSignIn } from '../../../config/sign-ins.ts';
import { PayrunApiError, PayrunUnreachableError } from '../../sdk/errors.ts';
import { describeUser } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { clientOf, connect, findConnection, findServer } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { readSecret } from '../read-secret.ts';
import { counted, moment } from '../wording.ts';

/** Tokens have another prefix. */
const INVITATION_CODE = /^payrun_code_/;

interface Json {
  json?: boolean;
}

export function addSignInCommands(program: Command, io: CommandIo): void {
  program
    .command('login')
    .description('sign in with an invitation code or a token, which is asked for or read from stdin')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun login', 'payrun login < code.txt'))
    .action(async ({ json }: Json) => {
      const server = findServer(io);
      const secret = await readSecret(io, 'Code or token: ');
      if (secret === '') throw new WrongInput('give an invitation code or a token');
      const token = INVITATION_CODE.test(secret) ? await acceptInvitation(io, secret) : secret;
      const self = await (await clientOf(io, { url: server.url, token })).getMe();
      if (self.login === null) throw new WrongInput('this user has no login yet: ask an administrator for one');
      addSignIn(server.home, { url: server.url, login: self.login, token }, Date.now);
      if (json === true) return writeJson(io, { url: server.url, login: self.login, roles: self.roles });
      await writeLine(io.stdout, `Signed in at ${printable(server.url)} as ${describeUser(self)}.`);
    });

  program
    .command('logout')
    .description('sign out: revoke the token that login saved, and delete it here')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const { url, login } = findConnection(io, io.as === undefined ? {} : { as: io.as });
      if (login === null) throw new WrongInput(`nobody is signed in at ${url} from here`);
      const isRevoked = await revokeOwn(io);
      removeSignIn(findServer(io).home, { url, login });
      if (json === true) return writeJson(io, { url, login, revoked: isRevoked });
      const revoked = isRevoked ? '' : ' Its token could not be revoked and is valid until it expires.';
      await writeLine(io.stdout, `Signed out ${printable(login)} at ${printable(url)}.${revoked}`);
    });

  program
    .command('whoami')
    .description('show who acts here, at which server and in which roles')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const { url } = findConnection(io, io.as === undefined ? {} : { as: io.as });
      const self = await (await connect(io)).getMe();
      if (json === true) return writeJson(io, { url, ...self });
      await writeLine(io.stdout, `${describeUser(self)}, at ${printable(url)}`);
      const pending = self.pendingChanges.length;
      if (pending > 0) await writeLine(io.stdout, `${counted(pending, 'change')} pending: payrun changes list`);
    });
}

async function acceptInvitation(io: CommandIo, code: string): Promise<string> {
  const client = await clientOf(io, { url: findServer(io).url, token: null });
  const { token, expiresAt, scopes } = await client.acceptInvitation({
    code,
    label: `command line on ${hostname()}`.slice(0, 100),
  });
  await writeLine(
    io.stderr,
    `The code is used; your token, to ${scopes.join(', ')}, is valid until ${moment(expiresAt)}.`,
  );
  return token;
}

/** False if the server cannot be reached or no longer knows the token. */
async function revokeOwn(io: CommandIo): Promise<boolean> {
  try {
    const client = await connect(io);
    const { tokenId } = await client.getMe();
    await client.revokeToken({ tokenId });
    return true;
  } catch (error) {
    if (error instanceof PayrunApiError || error instanceof PayrunUnreachableError) return false;
    throw error;
  }
}
