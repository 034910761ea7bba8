import type { Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** What an action would answer now: null, it is allowed; else the refusal. */
export type ActionAnswers = Readonly<Record<string, { refused: string; message: string } | null>>;

/**
 * Asks the functions that decide about these actions, and leaves nothing of it. `id` is null for what has none, which is named by
 * `given`. For a run, that has the steps of the policy, where they are known. Null: there is no such thing for this user.
 */
export async function askForActions(
  database: Queryable,
  tokenHash: TokenHash,
  target: { kind: string; id: string | null; actions: readonly string[]; given: unknown },
): Promise<ActionAnswers | null> {
  const { kind, id, actions, given } = target;
  const { rows } = await database.query<{ answer: ActionAnswers | { refused: string } }>(
    'select allowed_actions($1, $2, $3, $4, $5) as answer',
    [tokenHash.bytes, kind, id, actions, given === null ? null : JSON.stringify(given)],
  );
  const answer = rows[0]?.answer ?? {};
  // Signed out meanwhile, or nothing there.
  if (Object.keys(answer).length === 0 || typeof answer['refused'] === 'string') return null;
  return answer as ActionAnswers;
}
