import { type DataKeys, explainMissingKeys, type KeyUse, missingKeys } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import {
  caseKeyName,
  endpointSecretName,
  runKeyName,
  secretKeyName,
  totpSecretName,
  unwrapKey,
  wrapKey,
  type WrappedKey,
} from './key-wrapping.ts';
import { DecryptionFailed } from './encryption.ts';

const ROWS_PER_BATCH = 500;

export interface Rewrapping {
  /** Keys of cases and runs, secrets of the installation and of endpoints that were rewrapped. */
  rewrapped: number;
  /** All that the current data key wraps now. */
  current: number;
  /** What could not be unwrapped: its data key is not configured, or it is damaged. */
  unreadable: { wrappedBy: string; count: number }[];
}

/** How much each data key wraps, by its id. */
export async function countByKey(database: Queryable): Promise<KeyUse[]> {
  const { rows } = await database.query<KeyUse>(
    `select wrapped_by as "wrappedBy", count(*) filter (where what = 'case')::int as cases, count(*) filter (where what = 'run')::int as runs,
       to_char(min(open_since) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as "openRunSince",
       count(*) filter (where what = 'secret')::int as secrets, count(*) filter (where what = 'endpoint')::int as endpoints,
       count(*) filter (where what = 'totp')::int as totps
     from (select wrapped_by, 'case' as what, null::timestamptz as open_since from case_keys
       union all select wrapped_by, 'run', case when finished_at is null then submitted_at end from run_keys left join runs using (run_id)
       union all select wrapped_by, 'secret', null from data_secrets union all select wrapped_by, 'endpoint', null from endpoint_secrets
       union all select wrapped_by, 'totp', null from totp_factors) as wrapped
     group by wrapped_by order by wrapped_by`,
  );
  return rows;
}

/**
 * Wraps everything that a former data key wraps with the current one. payrun may work meanwhile: what is erased or rewrapped
 * in between is left as it is, and what is added under a former key is found in the next pass. It may be interrupted
 * and repeated.
 */
export async function rewrapAll(database: Queryable, keys: DataKeys): Promise<Rewrapping> {
  const former = keys.all.slice(1).map(({ id }) => id);
  const unreadable = new Map<string, number>();
  let rewrapped = 0;
  for (const table of [CASE_KEYS, RUN_KEYS, DATA_SECRETS, ENDPOINT_SECRETS, TOTP_SECRETS]) {
    for (;;) {
      const pass = await rewrapTable(database, keys, table, former);
      rewrapped += pass.rewrapped;
      if (pass.readable > 0) continue;
      for (const id of pass.broken) unreadable.set(id, (unreadable.get(id) ?? 0) + 1);
      break;
    }
  }
  const uses = await countByKey(database);
  for (const use of uses) {
    if (!keys.all.some(({ id }) => id === use.wrappedBy)) unreadable.set(use.wrappedBy, wrappedIn(use));
  }
  const current = uses.find(({ wrappedBy }) => wrappedBy === keys.current.id);
  return {
    rewrapped,
    current: current === undefined ? 0 : wrappedIn(current),
    unreadable: [...unreadable].map(([wrappedBy, count]) => ({ wrappedBy, count })),
  };
}

function wrappedIn({ cases, runs, secrets, endpoints, totps }: KeyUse): number {
  return cases + runs + secrets + endpoints + totps;
}

interface KeyTable {
  table: string;
  /** The column of the primary key, and its type. */
  column: string;
  type: string;
  nameOf: (id: string) => string;
}

const CASE_KEYS: KeyTable = { table: 'case_keys', column: 'case_id', type: 'uuid', nameOf: caseKeyName };
const RUN_KEYS: KeyTable = { table: 'run_keys', column: 'run_id', type: 'uuid', nameOf: runKeyName };
const DATA_SECRETS: KeyTable = { table: 'data_secrets', column: 'name', type: 'text', nameOf: secretKeyName };

const ENDPOINT_SECRETS: KeyTable = {
  table: 'endpoint_secrets',
  column: 'secret_id',
  type: 'uuid',
  nameOf: endpointSecretName,
};

const TOTP_SECRETS: KeyTable = { table: 'totp_factors', column: 'totp_id', type: 'uuid', nameOf: totpSecretName };

interface StoredKey extends WrappedKey {
  id: string;
}

/**
 * One pass through what former keys wrap in the table: how many of these rows open, and how many of them were rewrapped.
 * `broken` has the id of the data key of each row that does not open.
 */
async function rewrapTable(
  database: Queryable,
  keys: DataKeys,
  table: KeyTable,
  former: readonly string[],
): Promise<{ readable: number; rewrapped: number; broken: string[] }> {
  const broken: string[] = [];
  let readable = 0;
  let rewrapped = 0;
  let after: string | null = null;
  for (;;) {
    const batch: StoredKey[] = await readBatch(database, table, former, after);
    const last = batch.at(-1);
    if (last === undefined) return { readable, rewrapped, broken };
    after = last.id;
    const opened = batch.flatMap((stored) => {
      const key = unwrapped(keys, table, stored);
      if (key === null) broken.push(stored.wrappedBy);
      return key === null ? [] : [{ ...stored, wrapped: wrapKey(keys, table.nameOf(stored.id), key).wrapped }];
    });
    readable += opened.length;
    rewrapped += await replace(database, table, keys.current.id, opened);
  }
}

function unwrapped(keys: DataKeys, table: KeyTable, stored: StoredKey): Buffer | null {
  try {
    return unwrapKey(keys, table.nameOf(stored.id), stored);
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}

async function readBatch(
  database: Queryable,
  { table, column, type }: KeyTable,
  former: readonly string[],
  after: string | null,
): Promise<StoredKey[]> {
  const { rows } = await database.query<StoredKey>(
    `select ${column} as id, wrapped, wrapped_by as "wrappedBy" from ${table}
     where wrapped_by = any($1) and ($2::${type} is null or ${column} > $2) order by ${column} limit $3`,
    [former, after, ROWS_PER_BATCH],
  );
  return rows;
}

/**
 * A row that another key wraps by now, or that is gone, is left as it is. Rows are locked in order, so that no two rotations
 * block each other.
 */
async function replace(
  database: Queryable,
  { table, column, type }: KeyTable,
  wrappedBy: string,
  batch: readonly StoredKey[],
): Promise<number> {
  const { rowCount } = await database.query(
    `with given as (select * from unnest($1::${type}[], $2::text[], $3::bytea[]) as given (id, was, wrapped)),
     unchanged as (
       select ${table}.${column} as id, given.wrapped from ${table}
       join given on given.id = ${table}.${column} and given.was = ${table}.wrapped_by
       order by ${table}.${column} for update of ${table}
     )
     update ${table} set wrapped = unchanged.wrapped, wrapped_by = $4, wrapped_at = clock_timestamp()
     from unchanged where ${table}.${column} = unchanged.id`,
    [
      batch.map(({ id }) => id),
      batch.map((stored) => stored.wrappedBy),
      batch.map(({ wrapped }) => wrapped),
      wrappedBy,
    ],
  );
  return rowCount ?? 0;
}

/**
 * At the start of a process: says which data keys are missing, in the log and to the person who starts payrun. It never
 * keeps the process from starting: what needs no key goes on, and the key may be restored while it runs.
 */
export async function reportMissingKeys(
  database: Queryable,
  keys: DataKeys | null,
  { log, print }: { log: Record<'error' | 'warn', (message: string) => void>; print: (line: string) => void },
): Promise<void> {
  try {
    const missing = missingKeys(await countByKey(database), keys);
    if (missing.length === 0) return;
    const message = explainMissingKeys(missing);
    log.error(message);
    print(message);
  } catch {
    log.warn('it could not be checked whether all data keys are configured: payrun keys check');
  }
}
