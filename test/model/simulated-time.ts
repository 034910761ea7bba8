import pg from 'pg';
import type { Database } from '../../store/database/database.ts';
import { takeRole, type RuntimeRole } from '../../store/database/runtime-role.ts';
import { inTransaction } from '../../store/database/database.ts';

/**
 * Time that passes at will: the machine's clock and an offset. Each connection of the database sets its own offset, so that histories
 * with different times can be played at once.
 */
export class SimulatedTime {
  offsetMs = 0;
  /** How many statements there were. */
  statements = 0;
  /** A defect of statements: a text, and what stands there instead. */
  defect: { text: string; without: string } | null = null;

  now = (): number => Date.now() + this.offsetMs;

  pass(ms: number): void {
    this.offsetMs += ms;
  }
}

/** Functions of the same names in a schema that comes before `pg_catalog` in every search path. */
const SIMULATED = `
  create schema simulated;
  create function simulated.passed() returns interval language sql stable
    as $$ select make_interval(secs => coalesce(nullif(current_setting('simulated.seconds', true), ''), '0')::float8) $$;
  create function simulated.now() returns timestamptz language sql stable
    as $$ select pg_catalog.now() + simulated.passed() $$;
  create function simulated.clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() + simulated.passed() $$;
  grant usage on schema simulated to public;`;

const PATH = 'simulated, pg_catalog, public, pg_temp';

/** Gives a migrated database, to which no other connection is open, the simulated time. */
export async function simulateTime(database: Database): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query(SIMULATED);
    await transaction.query(`set local search_path = ${PATH}`);
    const { rows } = await transaction.query<{ statement: string }>(STATEMENTS);
    for (const { statement } of rows) await transaction.query(statement);
    const { rows: named } = await transaction.query<{ name: string }>('select current_database() as name');
    const name = named[0]?.name ?? '';
    for (const setting of [`search_path = ${PATH}`, ...SETTINGS]) {
      await transaction.query(`alter database ${name} set ${setting}`);
    }
  });
}

/** Statements are many and small: each is planned once, while its tables are empty. Nothing is kept. */
const SETTINGS = [
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'jit = off',
  'synchronous_commit = off',
];

/** Functions are looked up when their text is executed; expressions of columns, views and triggers are bound when they are made. */
const OF_FUNCTIONS = `select p.prosrc, p.proconfig, format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as name,
    case when p.prokind = 'f' and p.pronamespace = 'public'::regnamespace then pg_get_functiondef(p.oid) end as definition
  from pg_proc p where p.pronamespace = 'public'::regnamespace`;

const STATEMENTS = `
  select statement from (
  select 2 as step, format('alter function %s reset search_path', name) as statement from (${OF_FUNCTIONS}) as functions
    where exists (select from unnest(proconfig) as setting where setting like 'search_path=%')
  union all
  select 1, regexp_replace(replace(definition, 'current_date', 'simulated.now()::date'),
      'pg_catalog\\.(now|clock_timestamp)', 'simulated.\\1', 'g')
    from (${OF_FUNCTIONS}) as functions
    where prosrc like '%current_date%' or definition ~ 'pg_catalog\\.(now|clock_timestamp)'
  union all
  select 2, format('alter table %s alter column %I set default %s', adrelid::regclass, attname,
      replace(pg_get_expr(adbin, adrelid), 'pg_catalog.', ''))
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    where attgenerated = '' and pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp)\\(\\)'
  union all
  select 2, format('create or replace view %s as %s', c.oid::regclass, replace(pg_get_viewdef(c.oid), 'pg_catalog.', ''))
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'v' and pg_get_viewdef(c.oid) ~ '(now|clock_timestamp)\\(\\)'
  ) as statements order by step`;

/** What still asks the machine's clock. */
export async function listRealTime(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ what: string }>(`
    select 'function ' || name as what from (${OF_FUNCTIONS}) as functions
      where prosrc ~* '(pg_catalog\\.(now|clock_timestamp)|current_(date|time)|localtime|(transaction|statement)_timestamp|timeofday)'
        or (prosrc ~* '(now|clock_timestamp)\\(\\)' and exists (select from unnest(proconfig) as setting
          where setting like 'search_path=%' and setting not like 'search_path=simulated,%'))
        or definition ~* 'begin atomic|pg_catalog\\.(now|clock_timestamp)'
    union all
    select 'default of ' || adrelid::regclass || '.' || attname from pg_attrdef
      join pg_attribute on attrelid = adrelid and attnum = adnum where pg_get_expr(adbin, adrelid) ~* '${REAL}'
    union all
    select 'view ' || c.oid::regclass from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
      and pg_get_viewdef(c.oid) ~* '${REAL}'
    union all
    select 'trigger ' || tgname from pg_trigger where not tgisinternal and pg_get_triggerdef(oid) ~* '${REAL}'
    union all
    select 'constraint ' || conname from pg_constraint where pg_get_constraintdef(oid) ~* '${REAL}'`);
  return rows.map(({ what }) => what);
}

const REAL = 'pg_catalog\\.(now|clock_timestamp)\\(\\)|current_(date|time)|localtime';

/** A pool as `openDatabase` makes one, whose connections have the simulated time. */
export function openSimulated(url: string, role: RuntimeRole | null, time: SimulatedTime): Database {
  const pool = new pg.Pool({
    Client: clientAt(time),
    connectionString: url,
    max: 4,
    // They have planned all statements.
    idleTimeoutMillis: 0,
    // The time goes to the database together with the statement before which it is set.
    pipeline: true,
    application_name: 'payrun-model',
    onConnect: (connection: Pick<pg.ClientBase, 'query'>): unknown =>
      role === null ? undefined : connection.query(takeRole(role)),
  });
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}

/** Names of prepared statements. */
const NAMES = new Map<string, string>();

/** A statement that each connection plans once: most of the time of a history would go into planning. */
function prepared(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\s*(select|with|insert|update|delete)\b/i.test(text)) return undefined;
  const known = NAMES.get(text);
  if (known !== undefined) return known;
  const name = `s${NAMES.size + 1}`;
  NAMES.set(text, name);
  return name;
}

/** A statement as a text, or as `{ text, … }`. */
function withDefect(asked: unknown, { defect }: SimulatedTime): unknown {
  if (defect === null) return asked;
  if (typeof asked === 'string') return asked.replaceAll(defect.text, defect.without);
  const statement = asked as { text: string };
  return { ...statement, text: statement.text.replaceAll(defect.text, defect.without) };
}

function clientAt(time: SimulatedTime): typeof pg.Client {
  return class ClientAt extends pg.Client {
    #offsetMs: number | null = null;

    // Overloads of pg, as in `observedClient`.
    override query(...given: unknown[]): never {
      const query = super.query.bind(this) as (...args: unknown[]) => unknown;
      const { stream } = this.connection;
      time.statements += 1;
      stream.cork();
      // What was set in the transaction is not set any more.
      if (given[0] === 'rollback') this.#offsetMs = null;
      else if (this.#offsetMs !== time.offsetMs) {
        this.#offsetMs = time.offsetMs;
        query(`set simulated.seconds = '${time.offsetMs / 1_000}'`, () => undefined);
      }
      const [asked, ...rest] = given;
      const text = withDefect(asked, time);
      const name = prepared(text);
      const answer = query(name === undefined ? text : { name, text }, ...rest);
      stream.uncork();
      return answer as never;
    }
  };
}
