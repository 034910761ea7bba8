import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Queryable } from '../../store/database/database.ts';
import { beginIndicativeQuote } from '../../store/rates/indicative-prices.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(() => testDatabase.database.query('delete from indicative_prices'));

/** Two workers ask for the same price: the second while the first has not committed, and `before` happens in between. */
async function together(before: (first: Queryable) => Promise<unknown>) {
  const runs = [await aStoredRun(testDatabase.database), await aStoredRun(testDatabase.database)];
  const [one, other] = await Promise.all([testDatabase.asWorker.connect(), testDatabase.asWorker.connect()]);
  try {
    await one.query('begin');
    const first = await beginIndicativeQuote(one, runs[0]?.runId ?? '');
    const second = beginIndicativeQuote(other, runs[1]?.runId ?? '');
    await untilWaiting(testDatabase.database);
    await before(one);
    await one.query('commit');
    return [first.way, (await second).way];
  } finally {
    one.release();
    other.release();
  }
}

test('one of two workers that want the same price at the same time asks for it', async () => {
  const [first, second] = await together(() => Promise.resolve());
  expect(first).toMatchObject({ sellCurrency: 'USD', buyCurrency: 'GBP' });
  expect(second).toBeNull();
});

test('nor does the second ask if it began before the first has noted its time', async () => {
  const [, second] = await together((first) =>
    first.query('update indicative_prices set asked_at = clock_timestamp()'),
  );
  expect(second).toBeNull();
});

test('a price whose time is in the future, as the clock was set since, is asked for', async () => {
  const [, second] = await together((first) =>
    first.query(`update indicative_prices set asked_at = clock_timestamp() + interval '1 day'`),
  );
  expect(second).toMatchObject({ sellCurrency: 'USD', buyCurrency: 'GBP' });
});
