import { afterEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../store/database/database.ts';
import { LeaseHolder, startLeaseHolder } from '../../store/rate-limiter/lease-holder.ts';
import { createLeaseTable, type LeaseTable } from '../../store/rate-limiter/lease-table.ts';
import { createTestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';

const HEARTBEAT_EVERY_MS = 1_000;
const REGISTERED_FOR_MS = 3_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A holder with manual clocks. */
function aHolder(table: LeaseTable) {
  const at = { steadyMs: 0, wallMs: 1_000_000 };
  const holder = new LeaseHolder(table, { steadyMs: () => at.steadyMs, wallMs: () => at.wallMs });
  const pass = (ms: number): void => {
    at.steadyMs += ms;
    at.wallMs += ms;
  };
  return { at, holder, pass };
}

describe('a holder of request leases', () => {
  test('sends heartbeats until it stops, and no requests after that', async () => {
    const testDatabase = await createTestDatabase();
    const { database } = testDatabase;
    const heartbeats = async (): Promise<number[]> => {
      const { rows } = await database.query<{ heartbeat: number }>('select heartbeat from lease_holders');
      return rows.map(({ heartbeat }) => heartbeat);
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const running = await startLeaseHolder(createLeaseTable(database), () => Promise.resolve());
    const id = running.holder.lastId;
    expect(await heartbeats()).toEqual([1]);
    expect(running.holder.mayStillSend(id)).toBe(true);
    vi.advanceTimersByTime(HEARTBEAT_EVERY_MS);
    await until(async () => (await heartbeats())[0] === 2);
    await running.stop();
    expect(running.holder.mayStillSend(id)).toBe(false);
    expect(await heartbeats()).toEqual([]);
    await testDatabase.drop();
  });

  test('stops sending before its registration ends, when the database is unreachable or by either clock', async () => {
    const testDatabase = await createTestDatabase();
    const own = openDatabase(testDatabase.url, {
      role: 'payrun_worker',
      maxConnections: 2,
      applicationName: 'lease-holder-test',
    });
    const { at, holder, pass } = aHolder(createLeaseTable(own));
    await holder.heartbeat();
    const id = holder.lastId;
    await own.end();
    await expect(holder.heartbeat()).rejects.toThrow();
    pass(REGISTERED_FOR_MS - 500);
    expect(holder.mayStillSend(id)).toBe(true);
    at.wallMs += 300;
    expect(holder.mayStillSend(id)).toBe(false);
    at.wallMs -= 300;
    at.steadyMs += 300;
    expect(holder.mayStillSend(id)).toBe(false);
    await testDatabase.drop();
  });

  test('without heartbeats is removed by the others, and continues under another id', async () => {
    const testDatabase = await createTestDatabase();
    const table = createLeaseTable(testDatabase.database);
    const [frozen, living] = [aHolder(table), aHolder(table)];
    await frozen.holder.heartbeat();
    const lost = frozen.holder.lastId;
    await living.holder.heartbeat();
    living.pass(REGISTERED_FOR_MS - 1);
    await living.holder.heartbeat();
    await frozen.holder.heartbeat();
    expect(frozen.holder.current).toBe(lost);

    await living.holder.heartbeat();
    living.pass(REGISTERED_FOR_MS);
    await living.holder.heartbeat();
    await frozen.holder.heartbeat();
    expect(frozen.holder.current).toBeNull();
    await frozen.holder.heartbeat();
    expect(frozen.holder.current).not.toBe(lost);
    expect(frozen.holder.mayStillSend(lost)).toBe(false);
    await testDatabase.drop();
  });
});
