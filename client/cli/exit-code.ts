import { CommanderError } from 'commander';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { PayrunApiError, PayrunUnreachableError } from '../sdk/errors.ts';

/** The exit codes that scripts rely on. Nothing else decides one. */
export const EXIT = {
  done: 0,
  bug: 1,
  wrongInput: 2,
  notAsRequested: 3,
  notAllowed: 4,
  unreachable: 5,
  auditBroken: 6,
  interrupted: 130,
} as const;

/** What each exit code means, as `payrun --help` and docs/cli.md show it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done (submit --wait, watch: every row is paid; onboard submit --wait, onboard watch: every case is approved)',
  bug: 'a bug in payrun (demo: the outcome is not the expected one)',
  wrongInput: 'the input or the configuration is wrong, or the run or case is in another state; nothing was done',
  notAsRequested:
    'something was done, but not as requested: rows are not paid, cases are not approved, values of known applicants were not taken, breaks are left (reconcile), the provider contradicts a ' +
    'proposal (resolve), payments could not be taken over (versions take-over), not everything could be rewrapped (keys rotate), a code was not mailed (users add, users invite)',
  notAllowed: 'not signed in, or not allowed',
  unreachable: 'a service could not be reached, or did not keep running',
  auditBroken: 'the audit trail is not as it was written',
  interrupted: 'interrupted (demo, or up while it starts)',
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An argument, or a file or variable that it names, is wrong. The message says where and how to correct it. */
export class WrongInput extends Error {
  override readonly name = 'WrongInput';
}

/**
 * Something was done, but the outcome is not the one asked for: a run ended with rows not paid, cases are not
 * approved, a proposal was contradicted, payments were not taken over. The command has printed the outcome.
 */
export class NotAsRequested extends Error {
  override readonly name = 'NotAsRequested';
}

/** The audit trail was verified and is not intact. The command has printed the report. */
export class AuditBroken extends Error {
  override readonly name = 'AuditBroken';
}

/** A service other than the server cannot be reached. The message names its address. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof WrongInput || error instanceof ConfigurationError) return EXIT.wrongInput;
  if (error instanceof NotAsRequested) return EXIT.notAsRequested;
  if (error instanceof AuditBroken) return EXIT.auditBroken;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongInput;
  if (error instanceof PayrunUnreachableError || error instanceof ServiceUnreachable) return EXIT.unreachable;
  return error instanceof PayrunApiError ? exitCodeOfRefusal(error) : EXIT.bug;
}

function exitCodeOfRefusal({ status, code }: PayrunApiError): ExitCode {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (code === 'unexpected_answer' || status === 503) return EXIT.unreachable;
  return status >= 500 ? EXIT.bug : EXIT.wrongInput;
}
