import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { FileRefusedError, PayrunApiError, PayrunUnreachableError } from '../sdk/errors.ts';
import type { CommandIo } from './command-io.ts';
import { writeJson, writeLine } from './command-io.ts';
import type { ExitCode } from './exit-code.ts';
import { AuditBroken, EXIT, exitCodeOf, NotAllPaid, WrongInput } from './exit-code.ts';
import { printable } from './printable.ts';
import { renderProblems } from './runs/render-problems.ts';

/**
 * Runs one command line (without the program's name) and answers its exit code. Whatever goes wrong is said on stderr;
 * with `--json` there is a document `{ "error": … }` on stdout as well, so that scripts need not read prose.
 */
export async function runCommandLine(program: Command, args: readonly string[], io: CommandIo): Promise<ExitCode> {
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode === EXIT.done) return exitCode;
    // A run that was not paid in full has had its document already, and so has a broken trail; commander has said itself what was mistyped.
    const isJson = args.includes('--json') && !(error instanceof NotAllPaid || error instanceof AuditBroken);
    if (isJson) await writeJson(io, { error: errorDocument(error) });
    if (!(error instanceof CommanderError)) await writeLine(io.stderr, explain(error, io));
    return exitCode;
  }
}

function explain(error: unknown, io: CommandIo): string {
  if (error instanceof FileRefusedError) {
    return `${renderProblems(error.problems, error.problemCount)}\n${said(error)}`;
  }
  if (error instanceof PayrunApiError && error.status === 401) {
    const whatNow =
      (io.env.PAYRUN_TOKEN ?? '') === ''
        ? "sign in with 'payrun login', or set PAYRUN_TOKEN to your token"
        : 'the token is that of PAYRUN_TOKEN: set it to another one, or unset it to act as who is signed in';
    return `${said(error)}\npayrun: ${whatNow}`;
  }
  if (error instanceof PayrunUnreachableError) {
    return `${said(error)}\npayrun: start it with 'payrun up', or set PAYRUN_URL to where it runs`;
  }
  if (error instanceof PayrunApiError && error.code === 'internal') {
    const requestId = error.details?.requestId;
    return typeof requestId === 'string' ? `${said(error)} (request ${printable(requestId)})` : said(error);
  }
  if (exitCodeOf(error) !== EXIT.bug) return said(error);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `payrun: this is a bug in payrun:\n${stack.split('\n').map(printable).join('\n')}`;
}

function said(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `payrun: ${message.split('\n').map(printable).join('\n')}`;
}

function errorDocument(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PayrunApiError) return { code: error.code, message, details: error.details };
  if (error instanceof PayrunUnreachableError) return { code: 'unreachable', message };
  const isInput = error instanceof WrongInput || error instanceof CommanderError;
  return { code: isInput ? 'invalid_input' : 'internal', message };
}
