import type { Queryable } from '../../store/database/database.ts';
import { readSqlFunctions } from '../../store/database/sql-files.ts';

/** A function that processes of a release call, as its callers see it. */
export interface ReleasedFunction {
  signature: string;
  returns: string;
  callers: readonly string[];
}

/**
 * What processes of this version call, by the database. What only the version before calls (`-- Called by: server, until 0.2.0.`)
 * is left out: the next version may drop it.
 */
export async function calledFunctions(database: Queryable): Promise<ReleasedFunction[]> {
  const called = readSqlFunctions().filter(({ callers, isLeaving }) => callers.length > 0 && !isLeaving);
  const { rows } = await database.query<{ signature: string; returns: string; callers: string[] }>(
    `select to_regprocedure(name)::text as signature, pg_get_function_result(to_regprocedure(name)) as returns,
       array(select role from unnest('{payrun_server,payrun_worker}'::text[]) as role
         where has_function_privilege(role, to_regprocedure(name), 'execute') order by role) as callers
     from unnest($1::text[]) as name order by name`,
    [called.map(({ name, argumentTypes }) => `${name}(${argumentTypes})`)],
  );
  return rows;
}
