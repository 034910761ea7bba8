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
 * Calls a function of the database that changes something in a user's name. The function verifies the proof of the user's
 * token, checks their roles and the policy, and records the change. @throws Refused
 */
export async function callAsUser<T extends FunctionAnswer>(
  database: Queryable,
  call: string,
  values: readonly unknown[],
): Promise<T> {
  const { rows } = await database.query<{ answer: FunctionAnswer }>(`select ${call} as answer`, [...values]);
  const answer = rows[0]?.answer;
  if (answer === undefined) throw new Error('a function of the record gave no answer');
  if (typeof answer['refused'] === 'string') throw new Refused(answer['refused'], String(answer['message']), answer);
  return answer as T;
}
