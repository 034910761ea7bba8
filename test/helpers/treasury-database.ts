import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { aUser, type TestUser } from './users.ts';

/** A database with the two people whom an order takes. */
export async function createTreasuryDatabase(): Promise<{
  testDatabase: TestDatabase;
  treasurer: TestUser;
  checker: TestUser;
}> {
  const testDatabase = await createTestDatabase();
  const treasurer = await aUser(testDatabase, 'Tessa', 'treasurer');
  const checker = await aUser(testDatabase, 'Chris', 'checker');
  return { testDatabase, treasurer, checker };
}
