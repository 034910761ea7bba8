import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** 0 requests a second: the limit is lifted, and nobody asks for slots. */
export interface RequestLimits {
  perSecond: number;
  perDay: number;
}

export interface SlotTicket {
  slot: number;
  lease: string;
  /** Milliseconds from now until the request may be sent. */
  waitMs: number;
}

export interface RequestSlots {
  take(account: string, holder: string): Promise<{ ticket: SlotTicket } | { retryInMs: number }>;
  release(account: string, ticket: SlotTicket): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
}

/** When to ask again while every slot is out: they come back with nearly a second to go, so this loses nothing. */
const RETRY_WHILE_ALL_OUT_MS = 100;

const LONGEST_RETRY_MS = 60_000;

/**
 * A holder sends nothing past its lease, so its slot is free one second after that. Slots are read first and locked
 * after: one that someone else took (another lease) or gave back (another `free_at`) in between is left alone, since
 * what was read of it is no longer so.
 */
const TAKE = `
  with day as (
    select coalesce(
      (select requests from request_days where account = $1 and day = (now() at time zone 'utc')::date), 0
    ) >= $4::integer and $4::integer > 0 as is_spent
  ), seen as materialized (
    select slots.slot, slots.lease, slots.free_at,
      greatest(
        case when slots.holder is null then slots.free_at
             else coalesce(holders.alive_until, clock_timestamp()) + interval '1 second' end,
        gates.paused_until
      ) as usable_at
    from request_slots slots
    join request_gates gates on gates.account = slots.account
    left join slot_holders holders on holders.holder = slots.holder
    where slots.account = $1 and slots.slot < $3::integer and not (select is_spent from day)
      and (slots.holder is null or holders.alive_until is null or holders.alive_until < clock_timestamp())
  ), candidate as (
    select slots.slot, seen.usable_at
    from seen
    join request_slots slots on slots.account = $1 and slots.slot = seen.slot
      and slots.lease is not distinct from seen.lease and slots.free_at = seen.free_at
    order by seen.usable_at
    limit 1
    for update of slots skip locked
  ), taken as (
    update request_slots slots set holder = $2, lease = $5
    from candidate where slots.account = $1 and slots.slot = candidate.slot
    returning slots.slot, candidate.usable_at
  ), counted as (
    insert into request_days (account, day, requests)
    select $1, (now() at time zone 'utc')::date, 1 from taken
    on conflict (account, day) do update set requests = request_days.requests + 1
  )
  select slot, (extract(epoch from usable_at - clock_timestamp()) * 1000)::float8 as wait_ms from taken
  union all
  select null,
    (extract(epoch from date_trunc('day', now() at time zone 'utc') + interval '1 day' - now() at time zone 'utc') * 1000)::float8
  from day where is_spent`;

const RELEASE = `
  update request_slots set holder = null, lease = null, free_at = clock_timestamp() + make_interval(secs => $4)
  where account = $1 and slot = $2 and lease = $3`;

/** Two milliseconds more than the limit's second, since clocks tick in steps. */
const SLOT_RESTS_SECONDS = 1.002;

/**
 * The slots of the request gate, as many for each account as its limit allows in a second. One statement takes the
 * slot that is free first, one gives it back. A slot is free one second after its request was answered: however the
 * network splits its delay, the next request on it then arrives a second later at least.
 */
export function createRequestSlots(database: Database, limitsOf: (account: string) => RequestLimits): RequestSlots {
  const prepared = new Map<string, Promise<void>>();

  async function prepare(account: string): Promise<void> {
    await database.query('insert into request_gates (account) values ($1) on conflict do nothing', [account]);
    await database.query(
      'insert into request_slots (account, slot) select $1, generate_series(0, $2::integer - 1) on conflict do nothing',
      [account, limitsOf(account).perSecond],
    );
  }

  async function ensurePrepared(account: string): Promise<void> {
    const ready = prepared.get(account) ?? prepare(account);
    prepared.set(account, ready);
    try {
      await ready;
    } catch (error) {
      prepared.delete(account);
      throw error;
    }
  }

  return {
    take: async (account, holder) => {
      await ensurePrepared(account);
      const { perSecond, perDay } = limitsOf(account);
      const lease = randomUUID();
      const { rows } = await database.query<{ slot: number | null; wait_ms: number }>({
        name: 'take-request-slot',
        text: TAKE,
        values: [account, holder, perSecond, perDay, lease],
      });
      const taken = rows[0];
      if (taken === undefined) return { retryInMs: RETRY_WHILE_ALL_OUT_MS };
      if (taken.slot === null) return { retryInMs: Math.min(Math.max(taken.wait_ms, 1), LONGEST_RETRY_MS) };
      return { ticket: { slot: taken.slot, lease, waitMs: Math.max(0, taken.wait_ms) } };
    },
    release: async (account, ticket) => {
      await database.query({
        name: 'release-request-slot',
        text: RELEASE,
        values: [account, ticket.slot, ticket.lease, SLOT_RESTS_SECONDS],
      });
    },
    pause: async (account, forMs) => {
      await database.query(
        `insert into request_gates (account, paused_until)
         values ($1, clock_timestamp() + make_interval(secs => $2))
         on conflict (account) do update set paused_until = greatest(request_gates.paused_until, excluded.paused_until)`,
        [account, forMs / 1000],
      );
    },
  };
}
