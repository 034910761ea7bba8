import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, migrate } from '../../store/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

describe('a new database', () => {
  test('is migrated once, however many processes start at the same time', async () => {
    await emptyDatabase(testDatabase.url);
    const applied = await Promise.all([1, 2, 3].map(() => migrate(testDatabase.url)));
    const names = applied.flat();
    expect(names).toContain('0001_users');
    expect(new Set(names).size).toBe(names.length);
    const { rows } = await testDatabase.database.query('select count(*)::int as payments from payments');
    expect(rows).toEqual([{ payments: 0 }]);
    expect(await migrate(testDatabase.url)).toEqual([]);
  });
});
