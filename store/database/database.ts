import pg from 'pg';
import { type RuntimeRole, takeRole } from './database-roles.ts';

export type Database = pg.Pool;
/** A pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

// Whole numbers of 64 bits come as numbers only where a number holds them exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, readWholeNumber);

const IDLE_IN_TRANSACTION_MS = 60_000;
/** Several times what the longest statement over 100,000 rows takes: one that goes on for longer would go on for ever. */
const STATEMENT_MS = 300_000;

/** A pool whose connections have the rights of the role alone, where the database lets them give up the others. */
export function openDatabase(
  databaseUrl: string,
  options: { role: RuntimeRole; maxConnections: number; applicationName: string },
): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // A process that freezes or loses its network within a transaction would keep its locks.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    statement_timeout: STATEMENT_MS,
    // The pool waits for what this returns before it gives the connection to anyone, though its type does not say so.
    onConnect: (connection: Pick<pg.ClientBase, 'query'>): unknown => connection.query(takeRole(options.role)),
  });
  // One that dies while it is in use fails what it is used for. The pool listens to idle ones alone, and an error that
  // nobody listens to would end the process.
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  // A connection that dies while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

function readWholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a whole number in the database is beyond 2^53');
  return value;
}

export async function inTransaction<T>(
  database: Database,
  work: (transaction: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await database.connect();
  try {
    await connection.query('begin');
    const result = await work(connection);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    await connection.query('rollback').then(
      () => connection.release(),
      (broken: unknown) => connection.release(broken instanceof Error ? broken : true),
    );
    throw error;
  }
}
