import type { QueryResultRow } from 'pg';
import type { Queryable } from './database.ts';

/** Rows that are in memory at a time. */
const PAGE = 2_000;

/** The result of a query, which the database keeps: more rows than fit into memory. */
export interface Cursor<Row> {
  /** In their order; each time that it is called, all of them. */
  forEach(visit: (row: Row) => void): Promise<void>;
  close(): Promise<void>;
}

/** Until the end of the transaction, which it needs. `name`: of our own, not of a user. */
export async function openCursor<Row extends QueryResultRow>(
  transaction: Queryable,
  name: string,
  query: string,
  values: readonly unknown[],
): Promise<Cursor<Row>> {
  await transaction.query(`declare ${name} scroll cursor for ${query}`, [...values]);
  return {
    forEach: async (visit) => {
      await transaction.query(`move absolute 0 from ${name}`);
      for (let count = PAGE; count === PAGE; ) {
        const { rows } = await transaction.query<Row>(`fetch ${PAGE} from ${name}`);
        for (const row of rows) visit(row);
        count = rows.length;
      }
    },
    close: async () => {
      await transaction.query(`close ${name}`);
    },
  };
}
