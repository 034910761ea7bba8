import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { readLimits } from '../../store/approvals/limits.ts';
import { askForActions } from '../../store/approvals/allowed-actions.ts';
import { keepReferenceRates } from '../../store/rates/reference-rates.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { beneficiaryAt, putInto, type StoredRun } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

type Limits = NonNullable<ApprovalPolicy['limits']>;

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;
let sam: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris, sam } = runs);
  await keepReferenceRates(testDatabase.asWorker, {
    ...{ source: 'house', date: await today(), base: 'USD', rates: { GBP: '0.8', EUR: '0.5' } },
  });
});
afterAll(() => testDatabase.drop());

// What earlier tests have approved is of long ago.
beforeEach(() =>
  bypassTriggers(testDatabase.database, `update runs set decided_at = decided_at - interval '1 year'`, []),
);

const limitedTo = (limits: Omit<Limits, 'currency'>, currency = 'USD') =>
  runs.follow({ limits: { currency, ...limits } });

let accounts = 0;
/** A run of one row of 100 USD to another account, unless it says otherwise. */
const aRun = (parts: Partial<PaymentInstruction> = {}): Promise<StoredRun> => {
  accounts += 1;
  return runs.aRun(1, () => ({ amount: '100.00', ...beneficiaryAt(`limited-${accounts}`), ...parts }));
};

/** From here on the second run has the maker of the first one. */
const submittedBy = (runId: string, makerId: string) =>
  bypassTriggers(testDatabase.database, 'update runs set submitted_by = $2 where run_id = $1', [runId, makerId]);

const approvedAgo = (runId: string, ago: string) =>
  bypassTriggers(testDatabase.database, 'update runs set decided_at = decided_at - $2::interval where run_id = $1', [
    runId,
    ago,
  ]);

async function today(): Promise<string> {
  const { rows } = await testDatabase.database.query<{ day: string }>(
    `select (now() at time zone 'UTC')::date::text as day`,
  );
  return rows[0]?.day ?? '';
}

const whyOf = async (runId: string) => (await runs.refusalsOf(runId)).map(({ why }) => why);

describe('limits of the approval policy', () => {
  test('refuse the approval that would pass the sum of a day, with both sums, and allow what reaches it', async () => {
    await limitedTo({ all: { day: '200.00' } });
    for (const { runId } of [await aRun(), await aRun()]) {
      expect(await runs.decide(chris, runId)).toMatchObject({ isLast: true });
    }
    const { runId } = await aRun({ amount: '0.01' });
    await expect(runs.decide(chris, runId)).rejects.toMatchObject({
      ...refusedWith('conflict'),
      message: expect.stringContaining('200.01 USD, and the policy allows 200.00 USD') as string,
    });
    expect([await runs.stateOf(runId), await runs.frozenRows(runId), await whyOf(runId)]).toEqual([
      'in_approval',
      0,
      ['limit_passed'],
    ]);
  });

  test('of one run are not avoided by its size', async () => {
    await limitedTo({ all: { day: '99.99' } });
    const { runId } = await aRun();
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('of two approvals at the same moment let one pass', async () => {
    await limitedTo({ all: { day: '150.00' } });
    const both = [await aRun(), await aRun(), await aRun()];
    const decided = await Promise.allSettled(
      both.map(({ runId }, index) => runs.decide(index === 1 ? sam : chris, runId)),
    );
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('of a week count what was approved on its earlier days', async () => {
    await limitedTo({ all: { week: '150.00' } });
    const first = await aRun();
    await runs.decide(chris, first.runId);
    const { rows } = await testDatabase.database.query<{ day: number }>(
      `select extract(isodow from now() at time zone 'UTC')::int as day`,
    );
    // To the Monday of this week, which may be today.
    await approvedAgo(first.runId, `${(rows[0]?.day ?? 1) - 1} days`);
    const second = await aRun();
    await expect(runs.decide(chris, second.runId)).rejects.toMatchObject(refusedWith('conflict'));
    await approvedAgo(first.runId, '7 days');
    expect(await runs.decide(chris, second.runId)).toMatchObject({ isLast: true });
  });

  test('of a day begin with the day of the time zone of the policy', async () => {
    const zoneOfNoon = async () => {
      const { rows } = await testDatabase.database.query<{ hour: number }>(
        `select extract(hour from now() at time zone 'UTC')::int as hour`,
      );
      const ahead = 12 - (rows[0]?.hour ?? 12);
      return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
    };
    const { runId: early } = await aRun();
    await runs.follow({ timeZone: await zoneOfNoon(), limits: { currency: 'USD', all: { day: '150.00' } } });
    await runs.decide(chris, early);
    // It is between twelve and one there: twelve hours and a half ago it was the day before, or the first hour of this one.
    await approvedAgo(early, '13 hours');
    const { runId } = await aRun();
    expect(await runs.decide(chris, runId)).toMatchObject({ isLast: true });
    const { runId: third } = await aRun();
    await approvedAgo(runId, '11 hours');
    await expect(runs.decide(chris, third)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('of a maker count what this maker has submitted', async () => {
    await limitedTo({ maker: { day: '150.00' } });
    const first = await aRun();
    const ofAnother = await aRun();
    const second = await aRun();
    await submittedBy(second.runId, first.makerId);
    for (const { runId } of [first, ofAnother]) {
      await expect(runs.decide(chris, runId)).resolves.toMatchObject({ isLast: true });
    }
    await expect(runs.decide(chris, second.runId)).rejects.toMatchObject({
      message: expect.stringContaining('of its maker') as string,
    });
  });

  test('of a beneficiary count what is paid to its account, whatever its name and whoever submits it', async () => {
    await limitedTo({ beneficiary: { week: '150.00' } });
    const first = await aRun(beneficiaryAt('one-account'));
    const toAnother = await aRun();
    for (const { runId } of [first, toAnother]) {
      expect(await runs.decide(chris, runId)).toMatchObject({ isLast: true });
    }
    const second = await runs.aRun(2, (n) => beneficiaryAt(n === 1 ? 'another-account' : 'one-account'));
    await expect(runs.decide(chris, second.runId)).rejects.toMatchObject({
      message: expect.stringContaining('beneficiary of row-2') as string,
    });
  });

  test('count no row that ended without being paid, and those whose end is unknown', async () => {
    await limitedTo({ all: { day: '150.00' } });
    const first = await aRun();
    await runs.decide(chris, first.runId);
    const second = await aRun();
    const [paymentId = ''] = first.paymentIds;
    for (const state of ['unknown', 'returned', 'paid', 'awaiting_funds', 'funded'] as const) {
      await putInto(testDatabase.database, paymentId, state);
      await expect(runs.decide(chris, second.runId)).rejects.toMatchObject(refusedWith('conflict'));
    }
    await putInto(testDatabase.database, paymentId, 'rejected');
    expect(await runs.decide(chris, second.runId)).toMatchObject({ isLast: true });
  });

  test('add up currencies at the reference rates of the record', async () => {
    await limitedTo({ all: { day: '100.00' } }, 'EUR');
    // 50 EUR and 50 EUR: 100 USD, and 80 GBP that are fixed as what is received.
    const { runId } = await runs.aRun(2, (n) =>
      n === 1 ? { amount: '100.00' } : { amount: '80.00', amountSide: 'buy', buyCurrency: 'GBP' },
    );
    expect(await runs.decide(chris, runId)).toMatchObject({ isLast: true });
    const { runId: next } = await aRun({ amount: '0.01' });
    await expect(runs.decide(chris, next)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('see one account that is written by its IBAN, and by its sort code and number', async () => {
    await limitedTo({ beneficiary: { day: '150.00' } });
    await runs.decide(chris, (await aRun(beneficiaryAt('98765432', { iban: 'GB82WEST12345698765432' }))).runId);
    const { runId } = await aRun(beneficiaryAt('98765432', { sortCode: '12-34-56' }));
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await whyOf(runId)).toEqual(['limit_passed']);
  });

  test('block a run in a currency without a rate, and say which', async () => {
    await limitedTo({ all: { day: '1000000.00' } });
    const { runId } = await aRun({ sellCurrency: 'JPY' });
    await expect(runs.decide(chris, runId)).rejects.toMatchObject({
      ...refusedWith('conflict'),
      message: expect.stringContaining('no reference rate for JPY') as string,
    });
    expect(await whyOf(runId)).toEqual(['rate_missing']);
  });

  test('know no rate that is older than five days', async () => {
    await limitedTo({ all: { day: '1000000.00' } });
    const aged = (days: number) =>
      bypassTriggers(
        testDatabase.database,
        `update reference_rates set day = (now() at time zone 'UTC')::date - $1::integer where source = 'house'`,
        [days],
      );
    const { runId } = await aRun({ sellCurrency: 'GBP' });
    await aged(6);
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
    await aged(5);
    expect(await runs.decide(chris, runId)).toMatchObject({ isLast: true });
    await aged(0);
  });

  test('are asked of the approval that starts the run, and not of those before', async () => {
    await runs.follow({
      rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }],
      limits: { currency: 'USD', all: { day: '50.00' } },
    });
    const { runId } = await aRun();
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    await expect(runs.decide(sam, runId)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('are named to whoever asks what they may do', async () => {
    await limitedTo({ all: { day: '50.00' } });
    const { runId } = await aRun();
    const asked = { kind: 'run', id: runId, actions: ['approve', 'reject'], given: null };
    expect(await askForActions(testDatabase.asServer, chris.tokenHash, asked)).toMatchObject({
      approve: { refused: 'conflict', message: expect.stringContaining('the policy allows 50.00 USD') as string },
      reject: null,
    });
  });

  test('do not keep anybody from rejecting a run', async () => {
    await limitedTo({ all: { day: '50.00' } });
    const { runId } = await aRun();
    await runs.decide(chris, runId, 'rejected', 'too much');
    expect(await runs.stateOf(runId)).toBe('rejected');
  });

  test('are shown for a run with what is used of them, by the policy in force or another', async () => {
    await limitedTo({ all: { day: '150.00' }, beneficiary: { week: '1000.00' } });
    const first = await aRun();
    await runs.decide(chris, first.runId);
    const { runId } = await runs.aRun(2, (n) => beneficiaryAt(`shown-${n}`));
    expect(await readLimits(testDatabase.asServer, runId, null)).toEqual([
      { scope: 'all', period: 'day', currency: 'USD', allowed: '150.00', used: '100.00', asked: '203.00', ...NOTHING },
      {
        ...{ scope: 'beneficiary', period: 'week', currency: 'USD', allowed: '1000.00', used: '0.00', asked: '102.00' },
        ...{ ...NOTHING, rowRef: 'row-2', isPassed: false },
      },
    ]);
    const proposed = { limits: { currency: 'JPY', maker: { day: '1.00' } } };
    expect(await readLimits(testDatabase.asServer, runId, proposed)).toMatchObject([
      { scope: 'maker', currency: 'JPY', used: null, asked: null, missingRates: ['USD'], isPassed: true },
    ]);
    const third = await aUser(testDatabase, 'Third', 'checker');
    await expect(runs.decide(third, runId)).rejects.toMatchObject(refusedWith('conflict'));
  });
});

const NOTHING = { rowRef: null, missingRates: [], isPassed: true };

/** The function that says which steps are open waits for this lock once it has looked. */
const LOOKED = 4711;
const WAITS_ONCE_LOOKED = `create or replace function open_steps(p_taken uuid[]) returns integer[] language plpgsql volatile
  security definer set search_path = public, pg_temp as $$
  declare v_open integer[] := array(select n from generate_subscripts(p_taken, 1) as n where p_taken[n] is null order by n);
  begin perform pg_advisory_xact_lock_shared(${LOOKED}); return v_open; end $$`;

test('the limits are asked of the approval that is the last one, also if an earlier one begins to count meanwhile', async () => {
  const ofItsOwn = await createTestDatabase();
  onTestFinished(() => ofItsOwn.drop());
  const { database } = ofItsOwn;
  const own = await RunsInApproval.of(ofItsOwn);
  await own.follow({
    rules: [{ name: 'two', when: {}, steps: [{ role: 'checker', approvals: 2 }] }],
    limits: { currency: 'USD', all: { day: '1.00' } },
  });
  const { runId } = await own.aRun(1, () => ({ amount: '100.00' }));
  await own.decide(own.chris, runId);
  await database.query('delete from user_roles where user_id = $1', [own.chris.userId]);
  await database.query(WAITS_ONCE_LOOKED);
  const holder = await database.connect();
  await holder.query(`select pg_advisory_lock(${LOOKED})`);
  const decided = own.decide(own.sam, runId).catch((error: unknown) => error);
  await untilWaiting(database);
  await database.query('select grant_role($1, $2)', [own.chris.userId, 'checker']);
  await holder.query(`select pg_advisory_unlock(${LOOKED})`);
  holder.release();
  await decided;
  expect(await own.stateOf(runId)).toBe('in_approval');
});
