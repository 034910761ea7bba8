import type { Queryable } from '../../store/database/database.ts';
import { readSqlFunctions, signatureOf } from '../../store/database/sql-files.ts';

/** A function of a release. Nulls and no callers: there is none of this signature. */
export interface ReleasedFunction {
  signature: string;
  /** Its parameters with their names and defaults. */
  parameters: string | null;
  returns: string | null;
  /** The roles of processes that may call it. */
  callers: readonly string[];
  /** Processes of this release call it. Others, and what only the release before calls (`until 0.2.0`), may go. */
  stays: boolean;
}

export function functionsOfFiles(): Pick<ReleasedFunction, 'signature' | 'stays'>[] {
  return readSqlFunctions()
    .map((each) => ({ signature: signatureOf(each), stays: each.callers.length > 0 && !each.isLeaving }))
    .sort((one, other) => (one.signature < other.signature ? -1 : 1));
}

/** The same functions as the database has them, in this order. */
export async function asInDatabase(
  database: Queryable,
  functions: readonly Pick<ReleasedFunction, 'signature' | 'stays'>[],
): Promise<ReleasedFunction[]> {
  const { rows } = await database.query<ReleasedFunction>(
    `select signature, pg_get_function_arguments(to_regprocedure(signature)) as parameters,
       pg_get_function_result(to_regprocedure(signature)) as returns,
       array(select role from unnest('{payrun_server,payrun_worker}'::text[]) as role
         where to_regprocedure(signature) is not null and has_function_privilege(role, to_regprocedure(signature), 'execute')
         order by role) as callers, stays
     from unnest($1::text[], $2::boolean[]) with ordinality as asked (signature, stays, position) order by position`,
    [functions.map(({ signature }) => signature), functions.map(({ stays }) => stays)],
  );
  return rows;
}
