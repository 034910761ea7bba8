import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decideRunAs, withdrawRunAs } from '../../store/approvals/run-decisions.ts';
import { readContentHash } from '../../store/approvals/run-approval.ts';
import { cancelRunAs, liftStopAs, listStops, type StopScope, stopPaymentsAs } from '../../store/approvals/stops.ts';
import { eraseRemarkAs } from '../../store/audit/remarks.ts';
import {
  confirmManualOutcomeAs,
  rejectManualOutcomeAs,
  proposeManualOutcomeAs,
} from '../../store/payments/manual-outcome-decisions.ts';
import { addRun } from '../../store/runs/add-run.ts';
import { readAccountOf } from '../../store/accounts/account-of.ts';
import { listRuns } from '../../store/runs/runs.ts';
import { rowsToStore } from '../helpers/rows-to-store.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun, aStoredRun, putInto } from './a-stored-run.ts';
import { LimitedUsers, OTHER } from './limited-users.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';
import { releaseAs } from './releases-under-test.ts';

/** What users who are limited to accounts may do with runs, rows and stops: the rules of the database. */

let users: LimitedUsers;
let runs: RunsInApproval;
/** Both may submit and decide; for administrators see `byAdministrators`. */
let ofOther: TestUser;
let ofAccount: TestUser;
let unlimited: TestUser;
let byAdministrators: Record<'ofOther' | 'ofAccount' | 'unlimited', TestUser>;

beforeAll(async () => {
  users = await LimitedUsers.create();
  runs = await RunsInApproval.of(users.testDatabase);
  ofOther = await users.aLimitedUser('Oda', [OTHER], 'maker', 'checker');
  ofAccount = await users.aLimitedUser('Ann', [ACCOUNT], 'maker', 'checker');
  unlimited = await aUser(users.testDatabase, 'Una', 'maker', 'checker');
  byAdministrators = {
    ofOther: await users.aLimitedUser('Otto', [OTHER], 'administrator'),
    ofAccount: await users.aLimitedUser('Alf', [ACCOUNT], 'administrator'),
    unlimited: users.ben,
  };
});
afterAll(() => users.testDatabase.drop());
beforeEach(() =>
  users.testDatabase.database.query('update stops set lifted_at = now() where lifted_at is null and run_id is null'),
);

const database = () => users.testDatabase.asServer;

async function stopBy(by: TestUser, of: StopScope, reason: string | null = null): Promise<string> {
  return (await stopPaymentsAs(database(), by.tokenHash, of, reason)).stopId;
}

/** As the owner: no user can change the maker of a run. */
async function aRunOf(maker: TestUser): Promise<string> {
  const { runId } = await runs.aRun();
  await users.testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, maker.userId]);
  return runId;
}

async function aRowIn(state: 'unknown'): Promise<string> {
  const { paymentIds } = await anApprovedRun(users.testDatabase.database);
  await putInto(users.testDatabase.database, paymentIds[0] ?? '', state);
  return paymentIds[0] ?? '';
}

const propose = (by: TestUser, paymentId: string) =>
  proposeManualOutcomeAs(database(), by.tokenHash, {
    ...{ paymentId, outcome: 'failed', providerPaymentId: null, reason: 'told so', evidenceHash: 'x' },
  });

async function aProposal(): Promise<string> {
  const paymentId = await aRowIn('unknown');
  await propose(runs.sam, paymentId);
  const { rows } = await users.testDatabase.database.query<{ id: string }>(
    'select manual_outcome_id as id from payment_manual_outcomes where payment_id = $1',
    [paymentId],
  );
  return rows[0]?.id ?? '';
}

async function aSuspect(): Promise<string> {
  const { paymentIds } = await runs.aRun(2);
  await putInto(users.testDatabase.database, paymentIds[1] ?? '', 'duplicate_suspect');
  return paymentIds[1] ?? '';
}

async function aRemarkOnStop(of: StopScope): Promise<string> {
  const stopId = await stopBy(runs.chris, of, 'wrong month');
  const { rows } = await users.testDatabase.database.query<{ id: string }>(
    'select remark_id as id from stops where stop_id = $1',
    [stopId],
  );
  return rows[0]?.id ?? '';
}

async function submit(by: TestUser, account: string, runId: string = randomUUID()): Promise<boolean> {
  const file = { fileName: 'f.csv', fileSha256: '0', header: { names: [], hasByteOrderMark: false, sheetName: null } };
  const key = (await payeesIn(database())).newRunKey(runId);
  const added = await addRun(database(), by.tokenHash, {
    ...{ key, account, ...file, submissionSha256: null, decideWithinMs: 86_400_000, ...rowsToStore(key, []) },
  });
  return added === 'added';
}

const anApprovedRunId = async () => (await anApprovedRun(users.testDatabase.database)).runId;
const ofRun = async (): Promise<StopScope> => ({ scope: 'run', runId: await anApprovedRunId() });
const ofAnAccount = (): Promise<StopScope> => Promise.resolve({ scope: 'account', account: ACCOUNT });
const ofAll = (): Promise<StopScope> => Promise.resolve({ scope: 'all' });

interface Attempt {
  what: string;
  /** As which the user of another account is refused. */
  code: 'not_found' | 'not_allowed';
  /** Concerns all accounts, so that a user who is limited to any is refused. */
  ofAll?: boolean;
  byAdministrator?: boolean;
  /** What a user does, once what it needs is there. */
  prepare: (by: TestUser) => Promise<() => Promise<unknown>>;
}

function decision(kind: 'approved' | 'rejected'): Attempt['prepare'] {
  return async (by) => {
    const { runId } = await runs.aRun();
    const contentHash = await readContentHash(database(), runId);
    return () => decideRunAs(database(), by.tokenHash, { runId, kind, contentHash, comment: 'seen' });
  };
}

function stopping(scope: () => Promise<StopScope>): Attempt['prepare'] {
  return async (by) => {
    const of = await scope();
    return () => stopBy(by, of);
  };
}

function lifting(scope: () => Promise<StopScope>): Attempt['prepare'] {
  return async (by) => {
    const stopId = await stopBy(runs.chris, await scope());
    return () => liftStopAs(database(), by.tokenHash, { stopId, askedBy: null });
  };
}

function erasing(scope: () => Promise<StopScope>): Attempt['prepare'] {
  return async (by) => {
    const remarkId = await aRemarkOnStop(await scope());
    return () => eraseRemarkAs(database(), by.tokenHash, remarkId);
  };
}

const ATTEMPTS: Attempt[] = [
  { what: 'submit a run', code: 'not_allowed', prepare: (by) => Promise.resolve(() => submit(by, ACCOUNT)) },
  { what: 'approve a run', code: 'not_found', prepare: decision('approved') },
  { what: 'reject a run', code: 'not_found', prepare: decision('rejected') },
  {
    what: 'withdraw a run of their own',
    code: 'not_found',
    prepare: async (by) => {
      const runId = await aRunOf(by);
      return () => withdrawRunAs(database(), by.tokenHash, runId, 'wrong month');
    },
  },
  { what: 'stop a run', code: 'not_found', prepare: stopping(ofRun) },
  { what: 'stop an account', code: 'not_allowed', prepare: stopping(ofAnAccount) },
  { what: 'stop everything', code: 'not_allowed', ofAll: true, prepare: stopping(ofAll) },
  { what: 'lift the stop of a run', code: 'not_found', prepare: lifting(ofRun) },
  { what: 'lift the stop of an account', code: 'not_allowed', prepare: lifting(ofAnAccount) },
  { what: 'lift the stop of everything', code: 'not_allowed', ofAll: true, prepare: lifting(ofAll) },
  {
    what: 'cancel a run',
    code: 'not_found',
    prepare: async (by) => {
      const runId = await anApprovedRunId();
      await stopBy(runs.chris, { scope: 'run', runId });
      return () => cancelRunAs(database(), by.tokenHash, runId, 'wrong month');
    },
  },
  {
    what: 'propose a manual outcome',
    code: 'not_found',
    prepare: async (by) => {
      const paymentId = await aRowIn('unknown');
      return () => propose(by, paymentId);
    },
  },
  {
    what: 'confirm a manual outcome',
    code: 'not_found',
    prepare: async (by) => {
      const manualOutcomeId = await aProposal();
      return () => confirmManualOutcomeAs(database(), by.tokenHash, manualOutcomeId);
    },
  },
  {
    what: 'reject a manual outcome',
    code: 'not_found',
    prepare: async (by) => {
      const manualOutcomeId = await aProposal();
      return () => rejectManualOutcomeAs(database(), by.tokenHash, { manualOutcomeId, reason: 'no' });
    },
  },
  {
    what: 'release a row',
    code: 'not_found',
    prepare: async (by) => {
      const paymentId = await aSuspect();
      return () => releaseAs(database(), by.tokenHash, { paymentId, reason: 'another invoice' });
    },
  },
  { what: 'erase a remark on a run', code: 'not_found', byAdministrator: true, prepare: erasing(ofRun) },
  {
    what: 'erase a remark on the stop of an account',
    code: 'not_allowed',
    byAdministrator: true,
    prepare: erasing(ofAnAccount),
  },
];

/** Everything that users decide on, as text. */
async function record(): Promise<unknown> {
  const tables = [
    'runs',
    'payments',
    'approvals',
    'approved_payments',
    'stops',
    'payment_manual_outcomes',
    'row_releases',
  ];
  const lists = [...tables, 'payment_manual_outcome_confirmations', 'remarks'].map(
    (table) => `(select jsonb_agg(rows order by rows::text) from ${table} as rows)`,
  );
  return (await users.testDatabase.database.query(`select jsonb_build_array(${lists.join(', ')}) as record`)).rows;
}

describe.each(ATTEMPTS.map((attempt) => [attempt.what, attempt] as const))('to %s', (_what, attempted) => {
  const { code, ofAll: concernsAll = false, byAdministrator = false, prepare } = attempted;

  const people = () => (byAdministrator ? byAdministrators : { ofOther, ofAccount, unlimited });

  async function expectRefused(by: TestUser): Promise<void> {
    const attempt = await prepare(by);
    const before = await record();
    const added = await users.auditOf(() => expect(attempt()).rejects.toMatchObject(refusedWith(code)));
    expect(await record()).toEqual(before);
    const detail: unknown = expect.objectContaining({ why: 'account', token: by.tokenId });
    expect(added).toEqual([{ actor: by.userId, kind: 'refused', detail }]);
  }

  test('is refused to a user who is limited to another account, and recorded', async () => {
    await expectRefused(people().ofOther);
  });

  test(`is ${concernsAll ? 'refused' : 'allowed'} to a user who is limited to the account`, async () => {
    if (concernsAll) return expectRefused(people().ofAccount);
    await (await prepare(people().ofAccount))();
  });

  test('is allowed to a user without a limit', async () => {
    await (await prepare(people().unlimited))();
  });
});

describe('lists', () => {
  test('have the runs and stops of the accounts that the user may use, and the stop of everything', async () => {
    const { runId } = await anApprovedRun(users.testDatabase.database);
    const other = randomUUID();
    await submit(unlimited, OTHER, other);
    const stops = {
      run: await stopBy(runs.chris, { scope: 'run', runId }),
      account: await stopBy(runs.chris, { scope: 'account', account: ACCOUNT }),
      other: await stopBy(runs.chris, { scope: 'account', account: OTHER }),
      all: await stopBy(runs.chris, { scope: 'all' }),
    };
    const listed = async (accounts: readonly string[] | null) => {
      const page = await listRuns(database(), accounts, { limit: 500, before: null });
      const inForce = (await listStops(database(), { runId: null, accounts })).map(({ stopId }) => stopId);
      return {
        runs: [runId, other].filter((id) => page.some((run) => run.runId === id)),
        accounts: new Set(page.map(({ account }) => account)),
        stops: Object.entries(stops).flatMap(([name, stopId]) => (inForce.includes(stopId) ? [name] : [])),
      };
    };
    expect(await listed([OTHER])).toEqual({ runs: [other], accounts: new Set([OTHER]), stops: ['other', 'all'] });
    expect(await listed([ACCOUNT])).toEqual({
      runs: [runId],
      accounts: new Set([ACCOUNT]),
      stops: ['run', 'account', 'all'],
    });
    expect(await listed(null)).toMatchObject({ runs: [runId, other], stops: ['run', 'account', 'other', 'all'] });
  });

  test('know the account of a run', async () => {
    const { runId } = await aStoredRun(users.testDatabase.database);
    expect(await readAccountOf(database(), 'run', runId)).toEqual({ account: ACCOUNT });
    expect(await readAccountOf(database(), 'run', randomUUID())).toBeNull();
  });
});
