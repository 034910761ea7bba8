import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Database } from './database.ts';

const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;

/** Kept back from the lease, so that what is sent at its very end has arrived when others count it as over. */
const SAFETY_MS = 250;

/** This process as a holder of request slots: alive while its lease is renewed, and silent as soon as it is not. */
export interface SlotHolder {
  holder: string;
  /** False when the lease has lapsed (a frozen process, a database out of reach): then nothing may be sent. */
  mayStillSend(): boolean;
  stop(): Promise<void>;
}

export async function startSlotHolder(database: Database): Promise<SlotHolder> {
  const holder = randomUUID();
  let leaseEndsAt = 0;

  async function renew(): Promise<void> {
    // From before the statement: the database's end of the lease is then never earlier than ours.
    const before = performance.now();
    await database.query(
      `insert into slot_holders (holder, alive_until) values ($1, clock_timestamp() + make_interval(secs => $2))
       on conflict (holder) do update set alive_until = excluded.alive_until`,
      [holder, LEASE_MS / 1000],
    );
    leaseEndsAt = before + LEASE_MS - SAFETY_MS;
  }

  await renew();
  await database.query(`delete from slot_holders where alive_until < now() - interval '1 day'`);
  // A renewal that fails leaves the lease to lapse, which is what stops the sending.
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);

  return {
    holder,
    mayStillSend: () => performance.now() < leaseEndsAt,
    stop: async () => {
      clearInterval(timer);
      leaseEndsAt = 0;
      await database.query('delete from slot_holders where holder = $1', [holder]);
    },
  };
}
