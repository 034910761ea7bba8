import type { Database } from '../database/database.ts';

/**
 * The rows behind the rate limiter, each change in one statement. The table decides who has which lease, and nothing about
 * time: it returns clock readings with the row, and `RequestLeases` decides.
 *
 * Every method rejects when the database does not answer in time; the change may have been made, or be made later.
 */
export interface LeaseTable {
  /** Takes the lease that has been free longest, else one whose holder died. */
  take(wanted: WantedLease): Promise<LeaseAnswer>;
  /** Frees the lease, if it is still taken under this id. */
  free(freed: FreedLease): Promise<void>;
  /** No effect if the current pause lasts longer. */
  pause(account: string, forMs: number): Promise<void>;
  register(holder: string, clockMs: number): Promise<void>;
  deregister(holder: string): Promise<void>;
  /** Renews the holder and removes the dead ones, unless they had a heartbeat after the given one. */
  heartbeat(
    holder: string,
    clockMs: number,
    dead: readonly Heartbeat[],
  ): Promise<{ renewed: boolean; holders: HolderRow[] }>;
}

export interface WantedLease {
  account: string;
  holder: string;
  leaseId: string;
  /** Leases of the account: as many as its limit allows in a second. */
  leases: number;
  /** Maximum requests of a UTC day; 0: no limit. */
  dayBudget: number;
  /** Days added to the database's current day: 0 except in tests. */
  dayOffset: number;
}

export interface LeaseAnswer {
  taken: TakenLease | null;
  /** The day's budget is used up. */
  isSpent: boolean;
  /** Until the UTC day ends. */
  dayLeftMs: number;
  pause: PauseRow;
}

/** What is known of the lease's last use. Times in milliseconds. */
export interface TakenLease {
  number: number;
  isNew: boolean;
  /** Its last holder died without freeing it. */
  isOrphan: boolean;
  freedBy: string | null;
  answeredMs: number | null;
  freedMs: number | null;
  /** What is left of its cooldown by the database's clock. */
  cooldownLeftMs: number;
}

export interface PauseRow {
  /** Different for each pause. */
  key: string;
  forMs: number;
  leftMs: number;
}

export interface FreedLease {
  account: string;
  leaseId: string;
  /** Null: it is not known when the lease was last used. */
  freedBy: string | null;
  /** By the steady clock of `freedBy`: the time of the answer, or of giving it up, and of this statement. */
  answeredMs: number | null;
  freedMs: number | null;
  /** What is left of its cooldown. */
  cooldownMs: number;
  /** How long its request took to be answered; null: it was not, or that is not known. */
  roundTripMs: number | null;
}

export interface Heartbeat {
  holder: string;
  heartbeat: number;
}

export interface HolderRow extends Heartbeat {
  /** Its steady clock just before that heartbeat. */
  clockMs: number;
}

/** Well below the time that a holder is registered for. */
const QUERY_TIMEOUT_MS = 2_000;

/**
 * Leases are read first and locked afterwards. A lease that was taken (another id) or freed (another `free_at`) in between
 * is skipped: what was read about it and its holder is outdated.
 */
const TAKE = `
  with clock as materialized (
    select clock_timestamp() as at, (clock_timestamp() at time zone 'utc') as utc
  ), used as materialized (
    -- Locked, so that two processes cannot both take the last request of the day.
    select requests from request_days
    -- guard: day-counted-in-turn
    where account = $1 and day = (select utc::date + $6::integer from clock) for update
  ), day as materialized (
    select clock.utc::date + $6::integer as day,
      -- guard: day-has-its-budget
      coalesce((select requests from used), 0) >= $4::integer and $4::integer > 0 as is_spent
    from clock
  ), seen as materialized (
    select leases.number, leases.lease_id, leases.free_at, leases.holder is not null as is_orphan
    from request_leases leases
    -- guard: leases-of-the-limit
    where leases.account = $1 and leases.number < $3::integer and not (select is_spent from day)
      -- guard: lease-of-one
      and (leases.holder is null or not exists (select from lease_holders where holder = leases.holder))
  ), candidate as materialized (
    select leases.number, leases.free_at, leases.freed_by, leases.answered_ms, leases.freed_ms, seen.is_orphan
    from seen
    join request_leases leases on leases.account = $1 and leases.number = seen.number
      -- guard: lease-still-as-seen
      and leases.lease_id is not distinct from seen.lease_id and leases.free_at = seen.free_at
    order by seen.is_orphan, seen.free_at, seen.number
    limit 1
    for update of leases skip locked
  ), taken as (
    update request_leases leases set holder = $2, lease_id = $5
    from candidate where leases.account = $1 and leases.number = candidate.number
  ), counted as (
    insert into request_days (account, day, requests) select $1, day.day, 1 from candidate, day
    on conflict (account, day) do update set requests = request_days.requests + 1
  )
  select candidate.number, candidate.is_orphan, candidate.freed_by, candidate.answered_ms, candidate.freed_ms,
    candidate.free_at = 'epoch' as is_new,
    case when candidate.number is null then null
         else (extract(epoch from candidate.free_at - clock.at) * 1000)::float8 end as cooldown_left_ms,
    day.is_spent,
    (extract(epoch from date_trunc('day', clock.utc) + interval '1 day' - clock.utc) * 1000)::float8 as day_left_ms,
    limiters.paused_until::text as pause_key, limiters.paused_for_ms,
    (extract(epoch from limiters.paused_until - clock.at) * 1000)::float8 as pause_left_ms
  from clock, day, rate_limiters limiters left join candidate on true
  where limiters.account = $1`;

interface TakeRow {
  number: number | null;
  is_orphan: boolean;
  freed_by: string | null;
  answered_ms: number | null;
  freed_ms: number | null;
  is_new: boolean;
  cooldown_left_ms: number;
  is_spent: boolean;
  day_left_ms: number;
  pause_key: string;
  paused_for_ms: number;
  pause_left_ms: number;
}

const FREE = `
  update request_leases set holder = null, lease_id = null, freed_by = $3, answered_ms = $4, freed_ms = $5,
    free_at = clock_timestamp() + make_interval(secs => $6),
    round_trip_ms = coalesce(0.8 * round_trip_ms + 0.2 * $7::float8, $7::float8, round_trip_ms)
  -- guard: freed-by-its-id
  where account = $1 and lease_id = $2`;

const HEARTBEAT = `
  with removed as (
    delete from lease_holders holders using unnest($3::uuid[], $4::bigint[]) as dead (holder, heartbeat)
    -- guard: dead-by-that-heartbeat
    where holders.holder = dead.holder and holders.heartbeat = dead.heartbeat
    returning holders.holder
  ), mine as (
    update lease_holders set heartbeat = heartbeat + 1, clock_ms = $2 where holder = $1 returning holder, heartbeat, clock_ms
  )
  select holder, heartbeat, clock_ms, true as is_mine from mine
  union all
  select holder, heartbeat, clock_ms, false from lease_holders
  where holder <> $1 and holder not in (select holder from removed)`;

export function createLeaseTable(database: Database): LeaseTable {
  const prepared = new Map<string, Promise<unknown>>();

  async function query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const statement = { name, text, values, query_timeout: QUERY_TIMEOUT_MS };
    return (await database.query<Row>(statement)).rows;
  }

  /** Creates the account's rows, once per process. */
  async function ensureRows(account: string, leases: number): Promise<void> {
    const key = `${leases} ${account}`;
    const ready =
      prepared.get(key) ??
      query('prepare-rate-limiter', PREPARE, [account]).then(() =>
        query('prepare-request-leases', PREPARE_LEASES, [account, leases]),
      );
    prepared.set(key, ready);
    await ready.catch((error: unknown) => {
      prepared.delete(key);
      throw error;
    });
  }

  return {
    take: async ({ account, holder, leaseId, leases, dayBudget, dayOffset }) => {
      await ensureRows(account, leases);
      const values = [account, holder, leases, dayBudget, leaseId, dayOffset];
      const [row] = await query<TakeRow>('take-request-lease', TAKE, values);
      if (row === undefined) throw new Error(`the rate limiter of account ${account} is missing from the database`);
      return {
        taken: row.number === null ? null : takenLeaseOf({ ...row, number: row.number }),
        isSpent: row.is_spent,
        dayLeftMs: row.day_left_ms,
        pause: { key: row.pause_key, forMs: row.paused_for_ms, leftMs: row.pause_left_ms },
      };
    },
    free: async ({ account, leaseId, freedBy, answeredMs, freedMs, cooldownMs, roundTripMs }) => {
      const times = [answeredMs, freedMs, cooldownMs / 1000, roundTripMs];
      await query('free-request-lease', FREE, [account, leaseId, freedBy, ...times]);
    },
    pause: async (account, forMs) => {
      await query('pause-rate-limiter', PAUSE, [account, forMs]);
    },
    register: async (holder, clockMs) => {
      await query('register-lease-holder', 'insert into lease_holders (holder, clock_ms) values ($1, $2)', [
        holder,
        clockMs,
      ]);
    },
    deregister: async (holder) => {
      await query('deregister-lease-holder', 'delete from lease_holders where holder = $1', [holder]);
    },
    heartbeat: async (holder, clockMs, dead) => {
      const values = [holder, clockMs, dead.map((one) => one.holder), dead.map((one) => one.heartbeat)];
      const rows = await query<{ holder: string; heartbeat: number; clock_ms: number; is_mine: boolean }>(
        'heartbeat',
        HEARTBEAT,
        values,
      );
      return {
        renewed: rows.some((row) => row.is_mine),
        holders: rows.map((row) => ({ holder: row.holder, heartbeat: row.heartbeat, clockMs: row.clock_ms })),
      };
    },
  };
}

const PREPARE = 'insert into rate_limiters (account) values ($1) on conflict do nothing';

const PREPARE_LEASES =
  'insert into request_leases (account, number) select $1, generate_series(0, $2::integer - 1) on conflict do nothing';

const PAUSE = `
  insert into rate_limiters (account, paused_until, paused_for_ms)
  values ($1, clock_timestamp() + make_interval(secs => $2 / 1000.0), $2)
  on conflict (account) do update set paused_until = excluded.paused_until, paused_for_ms = excluded.paused_for_ms
  -- guard: longer-pause-stays (3 lines)
  where least(
    extract(epoch from rate_limiters.paused_until - clock_timestamp()) * 1000, rate_limiters.paused_for_ms
  ) <= excluded.paused_for_ms`;

function takenLeaseOf(row: TakeRow & { number: number }): TakenLease {
  return {
    number: row.number,
    isNew: row.is_new,
    isOrphan: row.is_orphan,
    freedBy: row.freed_by,
    answeredMs: row.answered_ms,
    freedMs: row.freed_ms,
    cooldownLeftMs: row.cooldown_left_ms,
  };
}
