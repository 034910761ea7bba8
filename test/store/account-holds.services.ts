import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { proposeChangeAs } from '../../store/approvals/changes.ts';
import { listStaleProposals } from '../../store/runs/run-proposals.ts';
import { holdUnconfirmedAccounts } from '../../store/beneficiaries/account-holds.ts';
import { markDuplicates } from '../../store/runs/duplicates.ts';
import { ABook, aKey, aName, CALLED, lineOf, paidTo, paidToLine } from './a-book.ts';
import { aStoredRun, openForDecision, putInto } from './a-stored-run.ts';
import { releaseAs } from './releases-under-test.ts';
import { ONE_CHECKER, refusedWith, type RunsInApproval } from './runs-in-approval.ts';

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

/** A run in approval with rows to these accounts, as the worker proposes it. */
async function aRunTo(
  ...to: ReturnType<typeof paidTo>[]
): Promise<{ runId: string; makerId: string; states: () => Promise<string[]> }> {
  const { runId, makerId } = await aStoredRun(testDatabase.database, to.length, (n) => ({ beneficiary: to[n - 1] }));
  await openForDecision(testDatabase.asWorker, runId);
  await holdUnconfirmedAccounts(testDatabase.asWorker, runId);
  return { runId, makerId, states: () => statesOf(runId) };
}

async function statesOf(runId: string): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ state: string }>(
    'select state from payments where run_id = $1 order by row_number',
    [runId],
  );
  return rows.map(({ state }) => state);
}

describe('a row to an account that nobody confirmed', () => {
  test('is held where the book has the beneficiary, and released in one act with the confirmation', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const first = await aRunTo(paidTo(name, '1'), paidTo(name, '2'), paidTo(aName(), randomUUID()));
    const second = await aRunTo(paidTo(name, '2'));
    expect(await first.states()).toEqual(['ready', 'account_unconfirmed', 'ready']);
    expect(await second.states()).toEqual(['account_unconfirmed']);
    const changed = await book.add(book.maker, lineOf(aKey(), name, '2'));
    expect(await book.confirm(chris, [changed], CALLED)).toEqual({ confirmed: 1, released: 2 });
    expect(await first.states()).toEqual(['ready', 'ready', 'ready']);
    const { rows } = await testDatabase.database.query(
      'select proposal_is_stale as stale from runs where run_id = any($1)',
      [[first.runId, second.runId]],
    );
    expect(rows).toEqual([{ stale: true }, { stale: true }]);
  });

  test('is held by its account too, whatever its name, while it is proposed, rejected or ended', async () => {
    const line = await book.add(book.maker, lineOf(aKey(), aName(), 'A-1'));
    expect(await (await aRunTo(paidTo(line.details!.companyName!, 'A-1'))).states()).toEqual(['account_unconfirmed']);
    await book.end(chris, [line.id]);
    const { bankAccountHolderName: holder } = line.details!.bankAccount;
    const renamed = { ...paidTo(holder, 'A-1'), details: { ...paidTo(holder, 'A-1').details, companyName: aName() } };
    expect(await (await aRunTo(renamed)).states()).toEqual(['account_unconfirmed']);
  });

  test('is held by its name only once an account was confirmed under it: one person alone holds no rows of others', async () => {
    const [name, other] = [aName(), randomUUID()];
    const proposed = await book.add(book.maker, lineOf(aKey(), name, randomUUID()));
    expect(await (await aRunTo(paidTo(name, other))).states()).toEqual(['ready']);
    await book.confirm(chris, [proposed], CALLED);
    expect(await (await aRunTo(paidTo(name, other))).states()).toEqual(['account_unconfirmed']);
    await book.end(chris, [proposed.id]);
    expect(await (await aRunTo(paidTo(name, other))).states()).toEqual(['account_unconfirmed']);
  });

  test('is held if it goes there by another route: another holder or bank', async () => {
    const { details } = await book.aConfirmed();
    const routed = { ...details!, bankAccount: { ...details!.bankAccount, bankAccountHolderName: 'Somebody Else' } };
    expect(await (await aRunTo({ kind: 'details', details: routed })).states()).toEqual(['account_unconfirmed']);
  });

  test('is held whoever it pays where the policy says hold, and never where it says warn', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    await runs.follow({ unconfirmedAccounts: 'hold' });
    expect(await (await aRunTo(paidTo(aName(), randomUUID()), paidTo(name, '1'))).states()).toEqual([
      'account_unconfirmed',
      'ready',
    ]);
    await runs.follow({ unconfirmedAccounts: 'warn' });
    expect(await (await aRunTo(paidTo(aName(), randomUUID()), paidTo(name, '3'))).states()).toEqual(['ready', 'ready']);
  });

  test('is not released by the confirmation of another account', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const run = await aRunTo(paidTo(name, '2'));
    const other = await book.add(book.maker, lineOf(aKey(), name, '3'));
    expect(await book.confirm(chris, [other], CALLED)).toEqual({ confirmed: 1, released: 0 });
    expect(await run.states()).toEqual(['account_unconfirmed']);
  });

  test('is not confirmed by the maker of its run', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const run = await aRunTo(paidTo(name, '2'));
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [run.runId, chris.userId]);
    const changed = await book.add(book.maker, lineOf(aKey(), name, '2'));
    await expect(book.confirm(chris, [changed], CALLED)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(book.confirm(sam, [changed], CALLED)).resolves.toMatchObject({ released: 1 });
  });

  test('is held in a run of who confirmed it, also where they confirmed it before; others may pay it', async () => {
    const [name, number] = [aName(), randomUUID()];
    await book.aConfirmed(name, number);
    const run = await aRunTo(paidTo(name, number));
    await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [run.runId, chris.userId]);
    expect(await holdUnconfirmedAccounts(testDatabase.asWorker, run.runId)).toBe(1);
    expect(await (await aRunTo(paidTo(name, number))).states()).toEqual(['ready']);
  });

  test('is released once a policy that does not hold it takes effect, and its run is proposed again', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const run = await aRunTo(paidTo(name, '2'));
    const admin = await aUser(testDatabase, 'Ada', 'administrator');
    const policy = { rules: ONE_CHECKER, changes: { delayHours: null }, unconfirmedAccounts: 'warn' as const };
    const set = { kind: 'set_policy', userId: null, detail: { policy } } as const;
    const change = await proposeChangeAs(testDatabase.asServer, admin.tokenHash, set);
    await byTwo(testDatabase, Promise.resolve({ change }));
    expect(await run.states()).toEqual(['ready']);
    expect(await listStaleProposals(testDatabase.asServer)).toContain(run.runId);
  });

  test('is held at the approval as well, where its account has ended since', async () => {
    const name = aName();
    const line = await book.aConfirmed(name, '1');
    const run = await aRunTo(paidTo(name, '1'), paidTo(aName(), randomUUID()));
    await book.end(book.maker, [line.id]);
    await expect(runs.decide(sam, run.runId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await run.states()).toEqual(['account_unconfirmed', 'ready']);
    await runs.decide(sam, run.runId);
    expect(await run.states()).toEqual(['held', 'ready']);
    expect(await runs.frozenRows(run.runId)).toBe(1);
  });

  test('left out of an approved run stays out of it, whatever is confirmed later', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const run = await aRunTo(paidTo(name, '2'), paidTo(name, '1'));
    await runs.decide(sam, run.runId);
    const changed = await book.add(book.maker, lineOf(aKey(), name, '2'));
    expect(await book.confirm(chris, [changed], CALLED)).toMatchObject({ released: 0 });
    expect(await run.states()).toEqual(['held', 'ready']);
    expect(await holdUnconfirmedAccounts(testDatabase.asWorker, run.runId)).toBe(0);
  });

  test('of a run that was approved stays as it was approved, whatever ends later', async () => {
    const line = await book.aConfirmed();
    const run = await aRunTo(paidToLine(line));
    await runs.decide(sam, run.runId);
    await book.end(book.maker, [line.id]);
    expect(await holdUnconfirmedAccounts(testDatabase.asWorker, run.runId)).toBe(0);
    expect(await run.states()).toEqual(['ready']);
  });

  test('counts as a duplicate of what pays the same: two of them are not released together', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const first = await aRunTo(paidTo(name, '2'));
    const { runId } = await aStoredRun(testDatabase.database, 1, () => ({
      rowRef: 'again',
      amount: '101.00',
      beneficiary: paidTo(name, '2'),
    }));
    await markDuplicates(testDatabase.asWorker, runId);
    await openForDecision(testDatabase.asWorker, runId);
    const changed = await book.add(book.maker, lineOf(aKey(), name, '2'));
    await book.confirm(chris, [changed], CALLED);
    expect([await first.states(), await statesOf(runId)]).toEqual([['ready'], ['duplicate_suspect']]);
  });

  test('that was a suspected duplicate is held once it is released', async () => {
    const name = aName();
    await book.aConfirmed(name, '1');
    const { runId, paymentIds } = await runs.aRun(2, (n) => ({ beneficiary: paidTo(name, n === 1 ? '1' : '2') }));
    await putInto(testDatabase.database, paymentIds[1] ?? '', 'duplicate_suspect');
    await releaseAs(testDatabase.asServer, chris.tokenHash, {
      paymentId: paymentIds[1] ?? '',
      reason: 'owed',
    });
    expect(await statesOf(runId)).toEqual(['ready', 'account_unconfirmed']);
  });
});
