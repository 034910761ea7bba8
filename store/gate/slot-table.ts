import type { Database } from '../database/database.ts';

/**
 * The rows behind the request gate, each change in one statement. The table decides who has which slot, and nothing about
 * time: it returns clock readings with the row, and `RequestSlots` decides.
 *
 * Every method rejects when the database does not answer in time; the change may have been made, or be made later.
 */
export interface SlotTable {
  /** Takes the slot that has been free longest, else one whose holder died. */
  take(wanted: WantedSlot): Promise<SlotAnswer>;
  /** Frees the slot of this lease, if it is still taken under it. */
  free(freed: FreedSlot): Promise<void>;
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

export interface WantedSlot {
  account: string;
  holder: string;
  lease: string;
  /** Slots of the account: as many as its limit allows in a second. */
  slots: number;
  /** Maximum requests of a UTC day; 0: no limit. */
  dayBudget: number;
  /** Days added to the database's current day: 0 except in tests. */
  dayOffset: number;
}

export interface SlotAnswer {
  taken: TakenSlot | null;
  /** The day's budget is used up. */
  isSpent: boolean;
  /** Until the UTC day ends. */
  dayLeftMs: number;
  pause: PauseRow;
}

/** What is known of the slot's last use. Times in milliseconds. */
export interface TakenSlot {
  slot: number;
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

export interface FreedSlot {
  account: string;
  lease: string;
  /** Null: it is not known when the slot was last used. */
  freedBy: string | null;
  /** By the steady clock of `freedBy`: the time of the answer, or of giving it up, and of this statement. */
  answeredMs: number | null;
  freedMs: number | null;
  /** What is left of its cooldown. */
  cooldownMs: number;
}

export interface Heartbeat {
  holder: string;
  beat: number;
}

export interface HolderRow extends Heartbeat {
  /** Its steady clock just before that heartbeat. */
  clockMs: number;
}

/** Well below a holder's lease. */
const QUERY_TIMEOUT_MS = 2_000;

/**
 * Slots are read first and locked afterwards. A slot that was taken (another lease) or freed (another `free_at`) in between
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
    select slots.slot, slots.lease, slots.free_at, slots.holder is not null as is_orphan
    from request_slots slots
    -- guard: slots-of-the-limit
    where slots.account = $1 and slots.slot < $3::integer and not (select is_spent from day)
      -- guard: slot-of-one
      and (slots.holder is null or not exists (select from slot_holders where holder = slots.holder))
  ), candidate as materialized (
    select slots.slot, slots.free_at, slots.freed_by, slots.answered_ms, slots.freed_ms, seen.is_orphan
    from seen
    join request_slots slots on slots.account = $1 and slots.slot = seen.slot
      -- guard: slot-still-as-seen
      and slots.lease is not distinct from seen.lease and slots.free_at = seen.free_at
    order by seen.is_orphan, seen.free_at, seen.slot
    limit 1
    for update of slots skip locked
  ), taken as (
    update request_slots slots set holder = $2, lease = $5
    from candidate where slots.account = $1 and slots.slot = candidate.slot
  ), counted as (
    insert into request_days (account, day, requests) select $1, day.day, 1 from candidate, day
    on conflict (account, day) do update set requests = request_days.requests + 1
  )
  select candidate.slot, candidate.is_orphan, candidate.freed_by, candidate.answered_ms, candidate.freed_ms,
    candidate.free_at = 'epoch' as is_new,
    case when candidate.slot is null then null
         else (extract(epoch from candidate.free_at - clock.at) * 1000)::float8 end as cooldown_left_ms,
    day.is_spent,
    (extract(epoch from date_trunc('day', clock.utc) + interval '1 day' - clock.utc) * 1000)::float8 as day_left_ms,
    gates.paused_until::text as pause_key, gates.paused_for_ms,
    (extract(epoch from gates.paused_until - clock.at) * 1000)::float8 as pause_left_ms
  from clock, day, request_gates gates left join candidate on true
  where gates.account = $1`;

interface TakeRow {
  slot: number | null;
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
  update request_slots set holder = null, lease = null, freed_by = $3, answered_ms = $4, freed_ms = $5,
    free_at = clock_timestamp() + make_interval(secs => $6)
  -- guard: freed-by-its-lease
  where account = $1 and lease = $2`;

const HEARTBEAT = `
  with removed as (
    delete from slot_holders holders using unnest($3::uuid[], $4::bigint[]) as dead (holder, beat)
    -- guard: dead-by-that-beat
    where holders.holder = dead.holder and holders.beat = dead.beat
    returning holders.holder
  ), mine as (
    update slot_holders set beat = beat + 1, clock_ms = $2 where holder = $1 returning holder, beat, clock_ms
  )
  select holder, beat, clock_ms, true as is_mine from mine
  union all
  select holder, beat, clock_ms, false from slot_holders
  where holder <> $1 and holder not in (select holder from removed)`;

export function createSlotTable(database: Database): SlotTable {
  const prepared = new Map<string, Promise<unknown>>();

  async function query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const statement = { name, text, values, query_timeout: QUERY_TIMEOUT_MS };
    return (await database.query<Row>(statement)).rows;
  }

  /** Creates the account's rows, once per process. */
  async function ensureRows(account: string, slots: number): Promise<void> {
    const key = `${slots} ${account}`;
    const ready =
      prepared.get(key) ??
      query('prepare-request-gate', PREPARE, [account]).then(() =>
        query('prepare-request-slots', PREPARE_SLOTS, [account, slots]),
      );
    prepared.set(key, ready);
    await ready.catch((error: unknown) => {
      prepared.delete(key);
      throw error;
    });
  }

  return {
    take: async ({ account, holder, lease, slots, dayBudget, dayOffset }) => {
      await ensureRows(account, slots);
      const values = [account, holder, slots, dayBudget, lease, dayOffset];
      const [row] = await query<TakeRow>('take-request-slot', TAKE, values);
      if (row === undefined) throw new Error(`the request gate of account ${account} is missing from the database`);
      return {
        taken: row.slot === null ? null : takenSlotOf({ ...row, slot: row.slot }),
        isSpent: row.is_spent,
        dayLeftMs: row.day_left_ms,
        pause: { key: row.pause_key, forMs: row.paused_for_ms, leftMs: row.pause_left_ms },
      };
    },
    free: async ({ account, lease, freedBy, answeredMs, freedMs, cooldownMs }) => {
      await query('free-request-slot', FREE, [account, lease, freedBy, answeredMs, freedMs, cooldownMs / 1000]);
    },
    pause: async (account, forMs) => {
      await query('pause-request-gate', PAUSE, [account, forMs]);
    },
    register: async (holder, clockMs) => {
      await query('register-slot-holder', 'insert into slot_holders (holder, clock_ms) values ($1, $2)', [
        holder,
        clockMs,
      ]);
    },
    deregister: async (holder) => {
      await query('deregister-slot-holder', 'delete from slot_holders where holder = $1', [holder]);
    },
    heartbeat: async (holder, clockMs, dead) => {
      const values = [holder, clockMs, dead.map((one) => one.holder), dead.map((one) => one.beat)];
      const rows = await query<{ holder: string; beat: number; clock_ms: number; is_mine: boolean }>(
        'heartbeat',
        HEARTBEAT,
        values,
      );
      return {
        renewed: rows.some((row) => row.is_mine),
        holders: rows.map((row) => ({ holder: row.holder, beat: row.beat, clockMs: row.clock_ms })),
      };
    },
  };
}

const PREPARE = 'insert into request_gates (account) values ($1) on conflict do nothing';

const PREPARE_SLOTS =
  'insert into request_slots (account, slot) select $1, generate_series(0, $2::integer - 1) on conflict do nothing';

const PAUSE = `
  insert into request_gates (account, paused_until, paused_for_ms)
  values ($1, clock_timestamp() + make_interval(secs => $2 / 1000.0), $2)
  on conflict (account) do update set paused_until = excluded.paused_until, paused_for_ms = excluded.paused_for_ms
  -- guard: longer-pause-stays (3 lines)
  where least(
    extract(epoch from request_gates.paused_until - clock_timestamp()) * 1000, request_gates.paused_for_ms
  ) <= excluded.paused_for_ms`;

function takenSlotOf(row: TakeRow & { slot: number }): TakenSlot {
  return {
    slot: row.slot,
    isNew: row.is_new,
    isOrphan: row.is_orphan,
    freedBy: row.freed_by,
    answeredMs: row.answered_ms,
    freedMs: row.freed_ms,
    cooldownLeftMs: row.cooldown_left_ms,
  };
}
