import pg from 'pg';
import { actingRequest } from '../audit/acting-request.ts';
import { inTheCallersContext, observedClient, type QueryObserver } from './observed-client.ts';
import { type RuntimeRole, takeRole } from './runtime-role.ts';

export type Database = pg.Pool;
/** A pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

// 64-bit integers are read as numbers, and fail where a number cannot represent them exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, readWholeNumber);

const IDLE_IN_TRANSACTION_MS = 60_000;
/** Several times what the longest statement over 100,000 rows takes: a longer one would never end. */
const STATEMENT_MS = 300_000;

/** A pool whose connections have only the rights of the role, if the database lets them give up others. */
export function openDatabase(
  databaseUrl: string,
  options: { role: RuntimeRole; maxConnections: number; applicationName: string; observer?: QueryObserver | undefined },
): Database {
  const { observer } = options;
  const pool = new pg.Pool({
    ...(observer === undefined ? {} : { Client: observedClient(observer) }),
    connectionString: databaseUrl,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // Otherwise a process that freezes or loses its network within a transaction would keep its locks.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    statement_timeout: STATEMENT_MS,
    // The pool waits for the returned promise before it hands out the connection, although its type does not say so.
    onConnect: (connection: Pick<pg.ClientBase, 'query'>): unknown => connection.query(takeRole(options.role)),
  });
  if (observer !== undefined) inTheCallersContext(pool);
  // A connection that dies in use fails its query. The pool listens only to idle ones, and an unhandled error event would
  // end the process.
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

/** Entries of the audit trail that are made in it have the id of the request. */
const BEGIN = (requestId: string | null): string =>
  requestId === null ? 'begin' : `begin; set local payrun.request = '${requestId}'`;

export async function inTransaction<T>(
  database: Database,
  work: (transaction: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await database.connect();
  try {
    await connection.query(BEGIN(actingRequest()));
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
