import { actingRequest } from '../audit/acting-request.ts';
import type { Queryable } from './database.ts';

const REFUSAL_CODES = [
  'unauthenticated',
  'not_allowed',
  'second_factor_needed',
  'not_found',
  'conflict',
  'invalid_input',
  'too_many',
] as const;

/** The database refused the call, and recorded that in the audit trail. The message is for people. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: (typeof REFUSAL_CODES)[number];
  /** What the function has answered beside the message, for the server. */
  readonly facts: FunctionAnswer;

  constructor(code: string, message: string, facts: FunctionAnswer = {}) {
    super(message);
    this.facts = facts;
    this.code = REFUSAL_CODES.find((known) => known === code) ?? 'conflict';
  }
}

export type FunctionAnswer = Record<string, unknown>;

/**
 * Calls a function of the database that changes something in a user's name. The function verifies the token hash of the user's
 * token, checks their roles and the policy, and records the change. @throws Refused
 */
export async function callAsUser<T extends FunctionAnswer>(
  database: Queryable,
  call: string,
  values: readonly unknown[],
): Promise<T> {
  const { rows } = await database.query<{ answer: FunctionAnswer }>(noting(actingRequest(), call), [...values]);
  const answer = rows[0]?.answer;
  if (answer === undefined) throw new Error('a database function gave no answer');
  if (typeof answer['refused'] === 'string') throw new Refused(answer['refused'], String(answer['message']), answer);
  return answer as T;
}

/**
 * Entries of the audit trail that the call makes have the id of the request, which is set until the transaction ends, and
 * before the call since that reads it from the statement.
 */
function noting(requestId: string | null, call: string): string {
  if (requestId === null) return `select ${call} as answer`;
  return `with request as materialized (select set_config('payrun.request', '${requestId}', true))
    select ${call} as answer from request`;
}
