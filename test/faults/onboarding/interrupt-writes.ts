import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultStack } from '../fault-stack.ts';
import type { WrittenTable } from './onboarding-scenario.ts';

/** A worker has come to its write by then, also on a busy machine. */
const WRITES_WITHIN_MS = 1_500;

const WAITING_WORKERS = `select pid from pg_stat_activity
  where application_name = 'payrun-worker' and wait_event_type = 'Lock' and state = 'active'`;

/**
 * Holds the workers' writes to the table back, and ends the connections that wait with one: what they have written before is
 * there, and the rest never is. `isHeld` once writes are held back; `interrupted`: whether there was one.
 */
export function interruptWrites(
  { database, workers }: FaultStack,
  { table, kill }: { table: WrittenTable; kill: boolean },
  worker: number,
): { isHeld: Promise<void>; interrupted: Promise<boolean> } {
  let held = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const interrupt = async (): Promise<boolean> => {
    const client = await database.connect();
    // Postgres may be killed meanwhile.
    client.on('error', () => undefined);
    try {
      await client.query('begin');
      // Reads and the checks of foreign keys go on.
      await client.query(`lock table ${table} in share row exclusive mode`);
      held();
      await sleep(WRITES_WITHIN_MS);
      if (kill) workers[worker]?.kill();
      // Otherwise their statements would take effect after all: Postgres does not notice that a worker is gone.
      const ended = await client.query(`select pg_terminate_backend(pid) from (${WAITING_WORKERS}) as waiting`);
      return ended.rows.length > 0;
    } finally {
      await client.query('rollback').catch(() => undefined);
      client.release(true);
    }
  };
  const interrupted = interrupt()
    .catch(() => false)
    .finally(held);
  return { isHeld, interrupted };
}
