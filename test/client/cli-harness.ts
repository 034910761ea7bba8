import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { CommandIo } from '../../client/cli/command-io.ts';
import { buildProgram } from '../../client/cli/program.ts';
import { runCommandLine } from '../../client/cli/run-command-line.ts';
import type { Role } from '../../domain/users/role.ts';
import type { FakeApplication } from '../server/fake-application.ts';
import { TOKENS } from '../server/fake-application.ts';
import { aServer } from '../server/server-harness.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function capture(): { stream: Writable; text: () => string } {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => pieces.join('') };
}

/** A terminal at which somebody types a line at each question. */
function aTerminal(typed: readonly string[], shown: Writable): Readable {
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const lines = [...typed];
  const print = shown.write.bind(shown);
  const onQuestion = (text: string | Buffer): boolean => {
    if (/(\?|\(y\/N\)) $/.test(text.toString())) setImmediate(() => keys.write(`${lines.shift() ?? ''}\n`));
    return print(text);
  };
  Object.assign(shown, { write: onQuestion });
  return keys;
}

/** A temporary folder with these files, removed after the test. */
export async function aFolder(files: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payrun-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

export interface CommandLine {
  application: FakeApplication;
  url: string;
  folder: string;
  /**
   * Runs a command line in the folder, as a user with the role; default: a role that may run the command. With `typed` at a terminal,
   * where these lines answer one question each.
   */
  run: (
    args: string[],
    options?: { role?: Role | null; isTty?: boolean; env?: CommandIo['env']; stdin?: string; typed?: string[] },
  ) => Promise<Outcome>;
}

function roleFor([command = '']: string[]): Role {
  return ROLES[command] ?? 'administrator';
}

const ROLES: Readonly<Record<string, Role>> = {
  stop: 'maker',
  cancel: 'checker',
  resume: 'checker',
  submit: 'maker',
  prepare: 'maker',
  template: 'maker',
  send: 'maker',
  withdraw: 'maker',
  approve: 'checker',
  release: 'checker',
  reject: 'checker',
  show: 'viewer',
  results: 'viewer',
  exceptions: 'viewer',
  files: 'viewer',
  onboard: 'onboarder',
  reconcile: 'maker',
  beneficiaries: 'checker',
  treasury: 'treasurer',
};

/** The command line against a listening server with a fake application behind it. */
export async function aCommandLine(files: Record<string, string> = {}): Promise<CommandLine> {
  const { application, server } = await aServer({ feed: { pollMs: 2 } });
  const folder = await aFolder(files);
  return {
    application,
    url: server.url,
    folder,
    run: async (args, { role = roleFor(args), isTty = false, env = {}, stdin = '', typed } = {}) => {
      const token = role === null ? {} : { PAYRUN_TOKEN: TOKENS[role] };
      const out = capture();
      const err = capture();
      const keys = typed === undefined ? Readable.from([stdin]) : aTerminal(typed, err.stream);
      const io: CommandIo = {
        stdin: keys,
        stdout: out.stream,
        stderr: err.stream,
        env: { PAYRUN_URL: server.url, ...token, ...env },
        cwd: folder,
        isTty,
      };
      const code = await runCommandLine(buildProgram(io), args, io);
      return { code, stdout: out.text(), stderr: err.text() };
    },
  };
}
