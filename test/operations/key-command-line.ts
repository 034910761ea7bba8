import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { buildProgram } from '../../client/cli/program.ts';
import { runCommandLine } from '../../client/cli/run-command-line.ts';
import type { Variables } from '../../config/environment.ts';
import { addServiceCommands } from '../../operations/service-commands.ts';

/** Runs a command of operators as `bin/payrun` does. */
export async function payrun(
  args: readonly string[],
  { env = {}, cwd }: { env?: Variables; cwd: string },
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const read = Promise.all([text(stdout), text(stderr)]);
  const io = { stdin: Readable.from([]), stdout, stderr, env, cwd, isTty: false };
  const program = buildProgram(io);
  addServiceCommands(program, io);
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    const returned = await runCommandLine(program, args, io);
    const code = returned !== 0 ? returned : ownExitCode();
    stdout.end();
    stderr.end();
    const [out, err] = await read;
    return { code, stdout: out, stderr: err };
  } finally {
    process.exitCode = before;
  }
}

/** What a command has set. */
function ownExitCode(): number {
  return Number(process.exitCode ?? 0);
}
