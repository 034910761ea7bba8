import { ACTIONS, type ActionTarget } from '../../api/approvals/action-target.ts';
import { askForActions } from '../../store/approvals/allowed-actions.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';

/** Code of the refusal of each action, null: it is allowed. Null: there is no such thing for this user. */
export async function askedFor(
  { asServer }: Pick<TestDatabase, 'asServer'>,
  user: TestUser,
  target: ActionTarget,
): Promise<Record<string, string | null> | null> {
  const id = 'id' in target ? target.id : null;
  const given = 'name' in target ? target.name : null;
  const actions = ACTIONS[target.kind];
  const answers = await askForActions(asServer, user.tokenHash, { kind: target.kind, id, actions, given });
  if (answers === null) return null;
  return Object.fromEntries(actions.map((action) => [action, answers[action]?.refused ?? null]));
}

/** How the function that does it answers; what it did is rolled back. `$1` is the user's token hash. */
export async function done(
  { asServer }: Pick<TestDatabase, 'asServer'>,
  user: TestUser,
  statement: string,
  ...values: unknown[]
): Promise<string | null> {
  const connection = await asServer.connect();
  try {
    await connection.query('begin');
    const { rows } = await connection.query<{ answer: { refused?: string } }>(`select ${statement} as answer`, [
      user.tokenHash.bytes,
      ...values,
    ]);
    return rows[0]?.answer.refused ?? null;
  } finally {
    await connection.query('rollback');
    connection.release();
  }
}

/** A digest of all rows of each table. */
export async function contentOfTables({ database }: Pick<TestDatabase, 'database'>): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const content: Record<string, string> = {};
  for (const { name } of rows) {
    const digested = await database.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(line::text, '' order by line::text)), '') as digest from ${name} as line`,
    );
    content[name] = digested.rows[0]?.digest ?? '';
  }
  return content;
}
