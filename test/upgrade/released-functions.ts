import type { Queryable } from '../../store/database/database.ts';
import { readSqlFunctions, signatureOf } from '../../store/database/sql-files.ts';

/** A function that processes of a release call, as its callers see it. Nulls and no callers: there is none of this signature. */
export interface ReleasedFunction {
  signature: string;
  returns: string | null;
  callers: readonly string[];
}

/**
 * The signatures of what processes of this version call. What only the version before calls (`-- Called by: server, until 0.2.0.`)
 * is left out: the next version may drop it.
 */
export function calledSignatures(): string[] {
  const called = readSqlFunctions().filter(({ callers, isLeaving }) => callers.length > 0 && !isLeaving);
  return called.map(signatureOf).sort();
}

/** The functions of these signatures as the database has them, in this order. */
export async function asCalled(database: Queryable, signatures: readonly string[]): Promise<ReleasedFunction[]> {
  const { rows } = await database.query<ReleasedFunction>(
    `select signature, pg_get_function_result(to_regprocedure(signature)) as returns,
       array(select role from unnest('{payrun_server,payrun_worker}'::text[]) as role
         where to_regprocedure(signature) is not null and has_function_privilege(role, to_regprocedure(signature), 'execute')
         order by role) as callers
     from unnest($1::text[]) with ordinality as asked (signature, position) order by position`,
    [signatures],
  );
  return rows;
}
