import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import { listReceipts } from '../../store/accounts/receipt-views.ts';
import { signBookDayAs } from '../../store/reconciliation/book-days.ts';
import { type BookDayView, listBookDays } from '../../store/reconciliation/day-views.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { addAccountWithBooks, FIRST_DAY, NEXT_DAY } from './an-account-with-books.ts';
import { askedFor, contentOfTables, done } from './asked-actions.ts';
import { OTHER } from './limited-users.ts';

/** What a user may do with a receipt, or with a day of the books: they have no id. */

let testDatabase: TestDatabase;
let tina: TestUser;
let chris: TestUser;
let stranger: TestUser;
let everybody: TestUser[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  chris = await aUser(testDatabase, 'Chris', 'checker');
  stranger = await aUser(testDatabase, 'Lea Limited', 'treasurer', 'checker');
  await limitTo(testDatabase.database, stranger, OTHER);
  const viewer = await aUser(testDatabase, 'Vic Viewer', 'viewer');
  const maker = await aUser(testDatabase, 'Mia Maker', 'maker');
  const admin = await aUser(testDatabase, 'Ada Admin', 'administrator');
  everybody = [tina, chris, viewer, maker, admin];
});
afterAll(() => testDatabase.drop());

let accounts = 0;

async function anAccount(): Promise<string> {
  const account = `books-${(accounts += 1)}`;
  await addAccountWithBooks(testDatabase, account, { entryId: `entry of ${account}` });
  return account;
}

describe('what a user may do with a receipt', () => {
  async function theReceipt(account: string) {
    const filter = { accounts: [account], currency: null, all: true, limit: 1 };
    const [receipt] = await listReceipts(testDatabase.asServer, filter);
    if (receipt === undefined) throw new Error('there is no receipt');
    const { currency, entryId, explainedBy } = receipt;
    return { name: { account, currency, entryId }, explainedBy };
  }

  const asked = async (user: TestUser, account: string) =>
    askedFor(testDatabase, user, { kind: 'receipt', name: (await theReceipt(account)).name });

  const explain = (account: string, by: string) =>
    testDatabase.database.query(
      `update receipts set explained_by = $2, explained_at = clock_timestamp() where account = $1`,
      [account, by],
    );

  test.each([null, 'deposit', 'person', 'conversion'])(
    'is what happens when they do it: explained by %s',
    async (by) => {
      const account = await anAccount();
      if (by !== null) await explain(account, by);
      const { name } = await theReceipt(account);
      for (const user of everybody) {
        const assign = `assign_receipt($1, $2, $3, $4, null, 'x')`;
        const values = [name.account, name.currency, name.entryId];
        expect([user.name, await asked(user, account)]).toEqual([
          user.name,
          { assign: await done(testDatabase, user, assign, ...values) },
        ]);
      }
    },
  );

  test('is to say what it is, for a treasurer, and to say otherwise; nobody, once the database explains it', async () => {
    const account = await anAccount();
    expect(await asked(tina, account)).toEqual({ assign: null });
    expect(await asked(chris, account)).toEqual({ assign: 'not_allowed' });
    const { name } = await theReceipt(account);
    await assignReceiptAs(testDatabase.asServer, tina.tokenHash, {
      ...name,
      refundId: null,
      reason: 'told by the bank',
    });
    expect((await theReceipt(account)).explainedBy).toBe('person');
    expect(await asked(tina, account)).toEqual({ assign: null });
    await explain(account, 'refund');
    expect(await asked(tina, account)).toEqual({ assign: 'conflict' });
  });

  test('is not told of one of another account, and of none', async () => {
    const account = await anAccount();
    expect(await asked(stranger, account)).toBeNull();
    const { name } = await theReceipt(account);
    const nothing = { kind: 'receipt', name: { ...name, entryId: 'nothing' } } as const;
    expect(await askedFor(testDatabase, tina, nothing)).toBeNull();
  });
});

describe('what a user may do with a day of the books', () => {
  const asked = (user: TestUser, account: string, day: string) =>
    askedFor(testDatabase, user, { kind: 'day', name: { account, day } });

  const days = (account: string): Promise<BookDayView[]> =>
    listBookDays(testDatabase.asServer, { accounts: [account], fromDay: null, toDay: null, isOpen: false, limit: 10 });

  test('is what happens when they do it: the first day, and the one after it', async () => {
    const account = await anAccount();
    for (const isSigned of [false, true]) {
      for (const { day, contentHash } of await days(account)) {
        for (const user of everybody) {
          const values = [account, day, contentHash];
          expect([user.name, await asked(user, account, day)]).toEqual([
            user.name,
            { sign: await done(testDatabase, user, 'sign_book_day($1, $2, $3::date, $4)', ...values) },
          ]);
        }
      }
      const [first] = await days(account);
      if (!isSigned && first !== undefined) await signBookDayAs(testDatabase.asServer, chris.tokenHash, first);
    }
  });

  test('is to sign it, for a checker, in the order of the days, and once', async () => {
    const account = await anAccount();
    expect(await asked(chris, account, FIRST_DAY)).toEqual({ sign: null });
    expect(await asked(chris, account, NEXT_DAY)).toEqual({ sign: 'conflict' });
    expect(await asked(tina, account, FIRST_DAY)).toEqual({ sign: 'not_allowed' });
    const [first] = await days(account);
    if (first !== undefined) await signBookDayAs(testDatabase.asServer, chris.tokenHash, first);
    expect(await asked(chris, account, FIRST_DAY)).toEqual({ sign: 'conflict' });
    expect(await asked(chris, account, NEXT_DAY)).toEqual({ sign: null });
  });

  test('is not told of one of another account, and of none', async () => {
    const account = await anAccount();
    expect(await asked(stranger, account, FIRST_DAY)).toBeNull();
    expect(await asked(chris, account, '2026-03-04')).toBeNull();
  });

  test('is answered while its books are being stored', async () => {
    const account = await anAccount();
    const connection = await testDatabase.database.connect();
    try {
      await connection.query('begin');
      await connection.query(`select pg_advisory_xact_lock(hashtextextended('books ' || $1, 0))`, [account]);
      expect(await asked(chris, account, FIRST_DAY)).toEqual({ sign: 'conflict' });
    } finally {
      await connection.query('rollback');
      connection.release();
    }
    expect(await asked(chris, account, FIRST_DAY)).toEqual({ sign: null });
  });
});

test('asking leaves nothing behind, not even in the audit trail', async () => {
  const account = await anAccount();
  const filter = { accounts: [account], currency: null, all: true, limit: 1 };
  const [receipt] = await listReceipts(testDatabase.asServer, filter);
  const { currency, entryId } = receipt ?? { currency: '', entryId: '' };
  const before = await contentOfTables(testDatabase);
  for (const user of [...everybody, stranger]) {
    await askedFor(testDatabase, user, { kind: 'receipt', name: { account, currency, entryId } });
    for (const day of [FIRST_DAY, NEXT_DAY])
      await askedFor(testDatabase, user, { kind: 'day', name: { account, day } });
  }
  expect(await contentOfTables(testDatabase)).toEqual(before);
});
