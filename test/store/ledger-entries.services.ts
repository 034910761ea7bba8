import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What becomes of money in the ledger, case by case. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let worlds = 0;

function aWorld(): LedgerWorld {
  worlds += 1;
  return new LedgerWorld(testDatabase, `E${String.fromCharCode(65 + Math.floor(worlds / 26), 65 + (worlds % 26))}`);
}

async function aWorldWith(balance: number, date = new Date().toISOString()): Promise<LedgerWorld> {
  const world = aWorld();
  world.change(balance, { date });
  await world.readHistory();
  return world;
}

const firstOf = (world: LedgerWorld, run = 0): string => world.runs[run]?.paymentIds[0] ?? '';

async function alarmsOf(world: LedgerWorld): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ kind: string }>(
    'select kind from money_alarms where currency = $1 and ended_at is null',
    [world.currency],
  );
  return rows.map(({ kind }) => kind);
}

async function reasonsOf(world: LedgerWorld): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ reason: string }>(
    `select reason from ledger_transfers where currency = $1 order by transfer_id`,
    [world.currency],
  );
  return rows.map(({ reason }) => reason);
}

describe('money is reserved', () => {
  test('when a run is approved, as far as it goes; two runs never count the same', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([60]);
    await world.approveRun([60]);
    expect(await world.ledger()).toMatchObject({ free: 0, run: 100 });
    await world.create(firstOf(world, 1), 0, 'took_effect');
    expect(await world.fund(firstOf(world, 1), 'answered')).toBe('not_begun');
    expect(await world.stateOf(firstOf(world, 1))).toBe('awaiting_funds');
    await world.create(firstOf(world), 0, 'took_effect');
    expect(await world.fund(firstOf(world), 'answered')).toBe('funded');
  });

  test('for the run that was started first, when money arrives', async () => {
    const world = await aWorldWith(1);
    await world.approveRun([50]);
    await world.approveRun([50]);
    world.change(59);
    await world.readHistory();
    for (const run of [0, 1]) await world.create(firstOf(world, run), 0, 'took_effect');
    expect(await world.fund(firstOf(world, 1), 'answered')).toBe('not_begun');
    expect(await world.fund(firstOf(world), 'answered')).toBe('funded');
  });

  test('for a row that fixes the amount received, by what the last one of its currencies cost', async () => {
    const world = await aWorldWith(1_000);
    await world.approveRun([20], { amountSide: 'buy' });
    // Nothing is known of its price.
    expect(await world.ledger()).toMatchObject({ run: 0 });
    await bypassTriggers(
      testDatabase.database,
      `update payments set funded_at = now(), state = 'paid', total_amount = 30, buy_amount = 20 where payment_id = $1`,
      [firstOf(world)],
    );
    await world.approveRun([20], { amountSide: 'buy' });
    expect(await world.ledger()).toMatchObject({ run: 30 });
  });

  test('until the run ends; then it is free, and goes to a run that lacks some', async () => {
    const world = await aWorldWith(60);
    await world.approveRun([60]);
    await world.approveRun([40]);
    await world.endRun(world.runs[0]?.runId ?? '');
    expect(await world.ledger()).toMatchObject({ free: 60, run: 0 });
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ free: 20, run: 40 });
  });
});

describe('an entry of the history', () => {
  test('takes the money of the payment of exactly its amount, and of any other what is free', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([20, 30]);
    for (const paymentId of world.runs[0]?.paymentIds ?? []) {
      await world.create(paymentId, 1, 'took_effect');
      await world.fund(paymentId, 'lost');
    }
    expect(await world.ledger()).toMatchObject({ payment: 52, free: 48 });
    world.change(-5);
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ payment: 0, free: 43 });
  });

  test.each([
    { form: 'a day', date: (now: Date) => now.toISOString().slice(0, 10) },
    {
      form: 'a local time without its zone',
      date: (now: Date) => new Date(now.getTime() - 11 * 3_600_000).toISOString().slice(0, 19),
    },
  ])('takes the money of its payment, although its date is $form', async ({ date }) => {
    const world = await aWorldWith(100, date(new Date()));
    await world.approveRun([20]);
    await world.create(firstOf(world), 0, 'took_effect');
    await world.fund(firstOf(world), 'lost');
    world.entries.pop();
    world.balance += 20;
    world.change(-20, { isOurs: true, date: date(new Date()) });
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ payment: 0, free: 80 });
  });

  test('does not take the money of a payment that nobody has funded', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([20]);
    await world.create(firstOf(world), 0, 'took_effect');
    world.change(-20);
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ payment: 20, free: 60 });
  });

  test.each([{ legs: 'two' }, { legs: 'apart' }] as const)(
    'of the fee alone belongs to its payment ($legs entries)',
    async ({ legs }) => {
      const world = await aWorldWith(100);
      await world.approveRun([20]);
      await world.create(firstOf(world), 3, 'took_effect');
      await world.fund(firstOf(world), 'answered', legs);
      const others = legs === 'apart' ? 7 : 0;
      await world.readHistory({ hiding: 1 });
      expect(await world.ledger()).toMatchObject({ payment: 23 });
      await world.readHistory();
      expect(await world.ledger()).toMatchObject({ payment: 0, free: 77 + others });
    },
  );

  test('may make the free money negative, which people are notified of until it is not', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([90]);
    world.change(-20);
    await world.readHistory();
    expect([(await world.ledger()).free, await alarmsOf(world)]).toEqual([-10, ['free_negative']]);
    expect(await world.commitConversion('too-late', 1)).toBe(false);
    world.change(15);
    await world.readHistory();
    expect([(await world.ledger()).free, await alarmsOf(world)]).toEqual([5, []]);
  });
});

describe('money of a payment', () => {
  test('goes back when its creation is refused, and when it ends without being funded', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([20]);
    await world.create(firstOf(world), 5, 'refused');
    expect(await world.ledger()).toMatchObject({ payment: 0, run: 25, free: 75 });
    await world.create(firstOf(world), 5, 'took_effect');
    await world.end(firstOf(world), 'failed');
    expect(await world.ledger()).toMatchObject({ payment: 0, run: 25 });
    await world.endRun(world.runs[0]?.runId ?? '');
    expect(await world.ledger()).toMatchObject({ run: 0, free: 100 });
  });

  test('stays committed while nobody knows whether it was funded, however it ends', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([20]);
    await world.create(firstOf(world), 0, 'took_effect');
    await world.fund(firstOf(world), 'lost');
    await testDatabase.database.query(`update payments set state = 'unknown', ended_at = now() where payment_id = $1`, [
      firstOf(world),
    ]);
    expect(await world.ledger()).toMatchObject({ payment: 20 });
  });

  test('is free an hour after its end if a complete history has no debit of it, and people are notified', async () => {
    const world = await aWorldWith(100);
    await world.approveRun([20]);
    await world.create(firstOf(world), 0, 'took_effect');
    await world.fund(firstOf(world), 'answered');
    await world.end(firstOf(world), 'paid');
    // The provider has debited it together with something else.
    world.entries.splice(1);
    world.balance = 100;
    world.change(-22);
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ payment: 20, free: 58 });
    await bypassTriggers(
      testDatabase.database,
      `update payments set ended_at = now() - interval '61 minutes' where payment_id = $1`,
      [firstOf(world)],
    );
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ payment: 0, free: 78 });
    expect(await alarmsOf(world)).toEqual(['debit_not_found']);
    // It comes after all.
    world.change(-20);
    await world.readHistory();
    expect([(await world.ledger()).free, await alarmsOf(world)]).toEqual([58, []]);
  });
});

describe('a history that is read for the first time while a run is paid', () => {
  test('commits what was sent, whether its debit is there yet or not, and reserves for the rest', async () => {
    const world = aWorld();
    world.balance = 100;
    await world.approveRun([20, 30, 40]);
    const [debited = '', sent = ''] = world.runs[0]?.paymentIds ?? [];
    for (const paymentId of [debited, sent]) {
      await world.create(paymentId, 0, 'took_effect');
      // Nothing is followed: the provider alone decides.
      expect(await world.fund(paymentId, 'answered')).toBe('funded');
    }
    expect(await world.lastAmount()).toBeNull();
    await world.readHistory({ hiding: 1 });
    expect(await world.ledger()).toMatchObject({ outside: -80, payment: 30, run: 40, free: 10 });
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ outside: -50, payment: 0, run: 40, free: 10 });
    expect((await reasonsOf(world)).filter((reason) => reason === 'entry')).toHaveLength(2);
  });

  test('a payment that is funded while the history was not read for long is committed by the next read', async () => {
    const world = await aWorldWith(10);
    await world.approveRun([20]);
    await world.create(firstOf(world), 0, 'took_effect');
    // Money has come that nobody has read about.
    world.change(50);
    const ago = async (minutes: number): Promise<void> => {
      await testDatabase.database.query(`update history_ranges set read_at = read_at - make_interval(mins => $1)`, [
        minutes,
      ]);
    };
    await ago(31);
    expect(await world.fund(firstOf(world), 'answered')).toBe('funded');
    await ago(-31);
    expect(await world.ledger()).toMatchObject({ payment: 0, run: 10 });
    // From this read on the ledger decides, and it shows nothing new.
    await world.readHistory({ hiding: 2 });
    expect(await world.ledger()).toMatchObject({ payment: 20, run: 0, free: -10 });
    await world.readHistory({ hiding: 1 });
    expect(await world.ledger()).toMatchObject({ payment: 20, free: 40 });
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ payment: 0, outside: -40 });
  });
});

describe('no process', () => {
  test.each([
    `insert into ledger_transfers (account, currency, debit, credit, amount, reason, cause) values ('default', 'EUR', 'free', 'run/1', 1, 'reserve', 'x')`,
    `insert into ledger_balances (account, currency, ledger_account, amount) values ('default', 'EUR', 'free', 1)`,
    `update ledger_balances set amount = amount + 1`,
    `delete from ledger_balances`,
    `update ledger_transfers set amount = 1`,
    `select transfer_money('default', 'EUR', 'outside', 'free', 1, 'entry', 'x')`,
    `select commit_conversion('default', 'EUR', 'x', 1, 1)`,
    `insert into money_alarms (account, currency, kind, ledger_account, amount) values ('default', 'EUR', 'free_negative', 'free', 1)`,
  ])('may %s', async (statement) => {
    for (const login of [testDatabase.asServer, testDatabase.asWorker]) {
      await expect(login.query(statement)).rejects.toThrow(/permission denied/);
    }
  });

  test('nor the owner changes a transfer, or lets the ledger differ from the history', async () => {
    await (await aWorldWith(5)).approveRun([1]);
    const { database } = testDatabase;
    await expect(database.query('update ledger_transfers set amount = 1')).rejects.toThrow('kept as it was made');
    await expect(database.query('delete from ledger_transfers')).rejects.toThrow('kept as it was made');
    await expect(
      database.query(`update ledger_balances set amount = amount - 1 where ledger_account = 'outside'`),
    ).rejects.toThrow('and the history');
    await expect(database.query('update balance_chains set last_amount = 7')).rejects.toThrow('and the history');
    await expect(
      database.query(`update ledger_balances set amount = -1 where ledger_account like 'run/%'`),
    ).rejects.toThrow('nothing_is_spent_twice');
  });
});
