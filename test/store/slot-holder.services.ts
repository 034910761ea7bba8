import { afterEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { startSlotHolder } from '../../store/slot-holder.ts';
import { createTestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';

const LEASE_MS = 3_000;
const RENEWED_AT_MS = 1_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a holder of request slots', () => {
  test('is among the living until it stops, and sends nothing after that', async () => {
    const testDatabase = await createTestDatabase();
    const { database } = testDatabase;
    const alive = async (): Promise<string[]> => {
      const { rows } = await database.query<{ holder: string }>(
        'select holder from slot_holders where alive_until > clock_timestamp()',
      );
      return rows.map(({ holder }) => holder);
    };
    const [one, other] = [await startSlotHolder(database), await startSlotHolder(database)];
    expect((await alive()).sort()).toEqual([one.holder, other.holder].sort());
    expect(one.mayStillSend()).toBe(true);
    await one.stop();
    expect(one.mayStillSend()).toBe(false);
    expect(await alive()).toEqual([other.holder]);
    await other.stop();
    await testDatabase.drop();
  });

  test('renews its lease, and falls silent before it ends when the record is out of reach', async () => {
    const testDatabase = await createTestDatabase();
    const { url, database } = testDatabase;
    const own = openDatabase(url, { maxConnections: 2, applicationName: 'slot-holder-test' });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const pass = (nowMs: number, byMs: number): void => {
      clock.mockReturnValue(nowMs);
      vi.advanceTimersByTime(byMs);
    };
    const holder = await startSlotHolder(own);
    const leaseEnd = async (): Promise<number> => {
      const { rows } = await database.query<{ alive_until: Date }>('select alive_until from slot_holders');
      return Number(rows[0]?.alive_until);
    };
    const first = await leaseEnd();
    pass(RENEWED_AT_MS, RENEWED_AT_MS);
    await until(async () => (await leaseEnd()) > first);
    expect(holder.mayStillSend()).toBe(true);

    await own.end();
    pass(RENEWED_AT_MS + LEASE_MS - 500, 1_500);
    expect(holder.mayStillSend()).toBe(true);
    pass(RENEWED_AT_MS + LEASE_MS, 500);
    expect(holder.mayStillSend()).toBe(false);
    vi.clearAllTimers();
    await testDatabase.drop();
  });
});
