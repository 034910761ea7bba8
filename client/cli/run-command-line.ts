import type { Command } from 'commander';
import { CommanderError } from 'commander';
import {
  ApplicantsRefusedError,
  FileRefusedError,
  PayrunApiError,
  PayrunUnreachableError,
  ScheduleRefusedError,
} from '../sdk/errors.ts';
import type { CommandIo } from './command-io.ts';
import { writeJson, writeLine } from './command-io.ts';
import type { ExitCode } from './exit-code.ts';
import { AuditBroken, EXIT, exitCodeOf, NotAsRequested, ServiceUnreachable } from './exit-code.ts';
import { renderApplicantProblems } from './onboarding/render-applicant-problems.ts';
import { printable } from './printable.ts';
import { renderProblems } from './runs/render-problems.ts';
import { renderScheduleProblems } from './treasury/render-schedules.ts';

/**
 * Runs one command line (without the program's name) and returns its exit code. An error is explained on stderr; with
 * `--json` there is also a document `{ "error": … }` on stdout, so that scripts need not parse messages.
 */
export async function runCommandLine(program: Command, args: readonly string[], io: CommandIo): Promise<ExitCode> {
  try {
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode === EXIT.done) return exitCode;
    const isPrinted = error instanceof NotAsRequested || error instanceof AuditBroken;
    if (args.includes('--json') && !isPrinted) await writeJson(io, { error: errorDocument(error) });
    // Commander has explained its own errors.
    if (!(error instanceof CommanderError)) await writeLine(io.stderr, explain(error, io));
    return exitCode;
  }
}

function explain(error: unknown, io: CommandIo): string {
  if (error instanceof FileRefusedError) {
    return `${renderProblems(error.problems, error.problemCount)}\n${messageOf(error)}`;
  }
  if (error instanceof ApplicantsRefusedError) {
    return `${renderApplicantProblems(error.problems, error.problemCount)}\n${messageOf(error)}`;
  }
  if (error instanceof ScheduleRefusedError) return `${renderScheduleProblems(error.problems)}\n${messageOf(error)}`;
  if (error instanceof PayrunApiError && error.status === 401) {
    const fix =
      (io.env.PAYRUN_TOKEN ?? '') === ''
        ? "sign in with 'payrun login', or set PAYRUN_TOKEN to your token"
        : 'the token comes from PAYRUN_TOKEN: set another one, or unset it to act as the user who is signed in';
    return `${messageOf(error)}\npayrun: ${fix}`;
  }
  if (error instanceof PayrunUnreachableError) {
    return `${messageOf(error)}\npayrun: start it with 'payrun up', or set PAYRUN_URL to its address`;
  }
  if (error instanceof PayrunApiError && error.code === 'internal') {
    const requestId = error.details?.requestId;
    return typeof requestId === 'string' ? `${messageOf(error)} (request ${printable(requestId)})` : messageOf(error);
  }
  if (exitCodeOf(error) !== EXIT.bug) return messageOf(error);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `payrun: this is a bug in payrun:\n${stack.split('\n').map(printable).join('\n')}`;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `payrun: ${message.split('\n').map(printable).join('\n')}`;
}

function errorDocument(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PayrunApiError) return { code: error.code, message, details: error.details };
  if (error instanceof PayrunUnreachableError || error instanceof ServiceUnreachable) {
    return { code: 'unreachable', message };
  }
  return { code: exitCodeOf(error) === EXIT.wrongInput ? 'invalid_input' : 'internal', message };
}
