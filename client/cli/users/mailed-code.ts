import type { MailedCode } from '../../sdk/index.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { NotAsRequested } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { moment } from '../wording.ts';

/** Says where a code went. @throws NotAsRequested when the mail was not sent: the code is void then */
export async function printMailed(
  io: CommandIo,
  answer: object,
  { to, expiresAt, problem }: MailedCode,
  { login, json }: { login: string; json: boolean | undefined },
): Promise<void> {
  if (json === true) await writeJson(io, answer);
  if (problem !== null) {
    throw new NotAsRequested(
      `the code for ${printable(login)} was not sent to ${printable(to)}, and works no more. ${printable(problem)} ` +
        `For another one: payrun users invite ${printable(login)}`,
    );
  }
  if (json === true) return;
  const sent = `The code for ${printable(login)} was sent to ${printable(to)}. It works once, until ${moment(expiresAt)}.`;
  await writeLine(io.stdout, sent);
}
