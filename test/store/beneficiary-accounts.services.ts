import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import {
  eraseUnusedBeneficiaries,
  listBeneficiaryKeys,
  readBook,
} from '../../store/beneficiaries/beneficiary-accounts.ts';
import { ABook, aKey, aName, CALLED, lineOf, NOT_CALLED, paidTo, paidToLine } from './a-book.ts';
import { ACCOUNT, aStoredRun, putInto } from './a-stored-run.ts';
import { refusedWith, type RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let book: ABook;
let runs: RunsInApproval;
let chris: TestUser;
let sam: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  book = await ABook.in(testDatabase);
  ({ runs } = book);
  ({ chris, sam } = runs);
});
afterAll(() => testDatabase.drop());
beforeEach(() => runs.follow({}));

describe('the book', () => {
  test('has each account with who added and confirmed it, and how', async () => {
    const line = await book.aConfirmed('Nordlicht GmbH');
    expect(line).toMatchObject({
      state: 'confirmed',
      source: 'by_hand',
      addedBy: { name: 'Mia' },
      confirmedBy: { name: 'Chris' },
    });
    expect(line).toMatchObject({ details: { companyName: 'Nordlicht GmbH' }, confirmation: CALLED });
  });

  test('takes the same account once, until it has ended', async () => {
    const line = lineOf(aKey(), aName(), '1');
    expect(await book.addAll(book.maker, line)).toHaveLength(1);
    const added = await book.add(sam, line);
    expect(await book.linesOf(line.key)).toHaveLength(1);
    await book.end(book.maker, [added.id]);
    expect(await book.addAll(book.maker, line)).toMatchObject([{ state: 'proposed' }, { state: 'rejected' }]);
  });

  test('is edited by makers and checkers alone, each for their accounts', async () => {
    const vic = await aUser(testDatabase, 'Vic', 'viewer');
    await expect(book.addAll(vic, lineOf(aKey(), aName(), '1'))).rejects.toMatchObject(refusedWith('not_allowed'));
    const { id } = await book.aConfirmed();
    await expect(book.end(vic, [id])).rejects.toMatchObject(refusedWith('not_allowed'));
    const other = await aUser(testDatabase, 'Olga', 'maker');
    await testDatabase.database.query(`insert into user_accounts (user_id, account) values ($1, 'asia')`, [
      other.userId,
    ]);
    await expect(book.addAll(other, lineOf(aKey(), aName(), '1'))).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('is found by its key, by words of the name and by the end of the account', async () => {
    const line = await book.aConfirmed('Müllerei Überall GmbH', '99887766554321');
    const find = (text: string) =>
      listBeneficiaryKeys(testDatabase.asServer, book.payees, {
        account: ACCOUNT,
        text,
        state: null,
        after: null,
        limit: 10,
      });
    expect(await find(line.key.toLowerCase().slice(0, 6))).toContain(line.key);
    expect(await find('überall mullerei')).toEqual([line.key]);
    expect(await find('4321')).toContain(line.key);
    expect(await find('nobody of this name')).toEqual([]);
  });

  test('does not change what a line says', async () => {
    const line = await book.aConfirmed();
    const change = (set: string) =>
      testDatabase.database.query(`update beneficiary_accounts set ${set} where beneficiary_account_id = $1`, [
        line.id,
      ]);
    await expect(change(`account_hash = 'x'`)).rejects.toThrow('does not change');
    await expect(change(`beneficiary_key = 'OTHER'`)).rejects.toThrow('does not change');
    await expect(change(`state = 'proposed'`)).rejects.toThrow('does not change');
  });

  test('shows nothing of a line whose hashes are not those of what is encrypted, and fills no row from it', async () => {
    const line = await book.aConfirmed();
    const other = await book.aConfirmed();
    await bypassTriggers(
      testDatabase.database,
      'update beneficiary_accounts set account_hash = $2 where beneficiary_account_id = $1',
      [line.id, other.accountHash],
    );
    expect(await book.linesOf(line.key)).toMatchObject([{ details: null }]);
    expect(await readBook(testDatabase.asServer, book.payees, ACCOUNT, [line.key])).toEqual(new Map());
  });

  test('fills rows before it is confirmed, since they are held, and never where the policy holds none', async () => {
    const line = await book.add(book.maker, lineOf(aKey(), aName(), '41'));
    const filling = async () =>
      (await readBook(testDatabase.asServer, book.payees, ACCOUNT, [line.key]))
        .get(line.key)
        ?.map(({ isConfirmed }) => isConfirmed);
    expect(await filling()).toEqual([false]);
    await runs.follow({ unconfirmedAccounts: 'warn' });
    expect(await filling()).toEqual([]);
    await book.confirm(chris, [line]);
    expect(await filling()).toEqual([true]);
    await runs.follow({});
  });

  test('is not written by the processes themselves', async () => {
    for (const database of [testDatabase.asServer, testDatabase.asWorker])
      await expect(database.query(`update beneficiary_accounts set state = 'confirmed'`)).rejects.toThrow(
        'permission denied',
      );
  });
});

describe('a confirmation', () => {
  test('is of a checker who did not add the account, by the function and by the table', async () => {
    const both = await aUser(testDatabase, 'Bo', 'checker');
    const line = await book.add(both, lineOf(aKey(), aName(), '1'));
    await expect(book.confirm(both, [line])).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(book.confirm(book.maker, [line])).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(
      testDatabase.database.query(
        `update beneficiary_accounts set state = 'confirmed', confirmed_by = added_by, confirmation = '' where beneficiary_account_id = $1`,
        [line.id],
      ),
    ).rejects.toThrow('account_confirmed_by_another');
  });

  test('is of what was seen, once, and of the book of its account', async () => {
    const line = await book.add(book.maker, lineOf(aKey(), aName(), '1'));
    const other = await book.aConfirmed();
    await expect(book.confirm(chris, [{ id: line.id, hash: other.hash }])).rejects.toMatchObject(
      refusedWith('conflict'),
    );
    await expect(book.confirm(chris, [line], NOT_CALLED, 'asia')).rejects.toMatchObject(refusedWith('not_found'));
    await book.confirm(chris, [line]);
    await expect(book.confirm(sam, [line])).rejects.toMatchObject(refusedWith('conflict'));
    const rejected = await book.add(book.maker, lineOf(aKey(), aName(), '1'));
    await book.end(chris, [rejected.id]);
    await expect(book.confirm(sam, [rejected])).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('of another account under a known key or name takes a call', async () => {
    const known = await book.aConfirmed('Called Once Ltd', '1');
    const ofKey = await book.add(book.maker, lineOf(known.key, aName(), '2'));
    expect(ofKey).toMatchObject({ isChange: true });
    await expect(book.confirm(chris, [ofKey])).rejects.toMatchObject(refusedWith('invalid_input'));
    const ofName = await book.add(book.maker, lineOf(aKey(), 'Called Once Limited', '3'));
    await expect(book.confirm(chris, [ofName])).rejects.toMatchObject(refusedWith('invalid_input'));
    await expect(book.confirm(chris, [ofName], CALLED)).resolves.toEqual({ confirmed: 1, released: 0 });
  });

  test('takes a call where another one waits beside it, also if both are confirmed together', async () => {
    const [key, name] = [aKey(), aName()];
    const one = await book.add(book.maker, lineOf(key, name, '1'));
    const other = await book.add(book.maker, lineOf(key, name, '2'));
    await expect(book.confirm(chris, [one, other])).rejects.toMatchObject(refusedWith('invalid_input'));
    await expect(book.confirm(chris, [one])).rejects.toMatchObject(refusedWith('invalid_input'));
    await book.end(chris, [other.id]);
    await expect(book.confirm(chris, [one])).resolves.toEqual({ confirmed: 1, released: 0 });
  });

  test('of an account in place of one that was paid takes a call', async () => {
    const name = aName();
    const { paymentIds } = await aStoredRun(testDatabase.database, 1, () => ({ beneficiary: paidTo(name, '1') }));
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'paid');
    const line = await book.add(book.maker, lineOf(aKey(), name, '2'));
    await expect(book.confirm(chris, [line])).rejects.toMatchObject(refusedWith('invalid_input'));
    await book.end(chris, [line.id]);
    const same = await book.add(book.maker, lineOf(aKey(), name, '1'));
    await expect(book.confirm(chris, [same])).resolves.toEqual({ confirmed: 1, released: 0 });
  });

  test('a proposed account is rejected by a checker or by who added it, and a confirmed one ended by either', async () => {
    const line = await book.add(book.maker, lineOf(aKey(), aName(), '1'));
    const mo = await aUser(testDatabase, 'Mo', 'maker');
    await expect(book.end(mo, [line.id])).rejects.toMatchObject(refusedWith('not_allowed'));
    await book.end(chris, [line.id]);
    await expect(book.end(chris, [line.id])).rejects.toMatchObject(refusedWith('conflict'));
    const confirmed = await book.aConfirmed();
    await book.end(mo, [confirmed.id]);
    expect(await book.linesOf(confirmed.key)).toMatchObject([{ state: 'ended', endedBy: { name: 'Mo' } }]);
  });
});

describe('the retention rules', () => {
  const OLD = '2000-01-01';

  async function age(id: string): Promise<void> {
    await bypassTriggers(
      testDatabase.database,
      `update beneficiary_accounts set added_at = $2, confirmed_at = case when confirmed_at is not null then $2::timestamptz end,
         ended_at = case when ended_at is not null then $2::timestamptz end where beneficiary_account_id = $1`,
      [id, OLD],
    );
  }

  test('erase lines that ended or were not paid for as long as payees are kept, and no others', async () => {
    const fresh = await book.aConfirmed();
    const unused = await book.aConfirmed();
    const used = await book.aConfirmed();
    const ended = await book.aConfirmed();
    await book.end(book.maker, [ended.id]);
    const { paymentIds } = await aStoredRun(testDatabase.database, 1, () => ({
      beneficiary: paidToLine(used),
    }));
    await putInto(testDatabase.database, paymentIds[0] ?? '', 'paid');
    for (const { id } of [unused, used, ended]) await age(id);
    await runs.follow({ retention: { decidedDays: 0, otherDays: 0, payeesDays: 36_500 } });
    expect(await eraseUnusedBeneficiaries(testDatabase.asServer)).toBe(0);
    await runs.follow({});
    expect(await eraseUnusedBeneficiaries(testDatabase.asServer)).toBe(2);
    const left = await Promise.all(
      [fresh, unused, used, ended].map(async ({ key }) => (await book.linesOf(key)).length),
    );
    expect(left).toEqual([1, 0, 1, 0]);
  });
});
