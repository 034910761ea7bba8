import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import type { Refused } from '../../store/database/call-as-user.ts';
import { confirmCaseManualOutcomeAs } from '../../store/onboarding/case-decisions.ts';
import { confirmOrderManualOutcomeAs } from '../../store/treasury/order-decisions.ts';
import { type StoredSubject, stepUpWithTotpAs } from '../../store/users/second-factors.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anOrderToFundAgain, aSignUpNeverCreated, aVirtualAccountWithNumber } from './stored-proposals.ts';

/** What two people say of an order, a case or a virtual account, where the policy asks for a second factor at approvals. */

let testDatabase: TestDatabase;
/** Has an app that shows codes. */
let chris: TestUser;
let olivia: TestUser;
let tina: TestUser;

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  chris = await aUser(testDatabase, 'Chris', 'checker');
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  await execute(
    `insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, confirmed_at)
     select gen_random_uuid(), user_id, token_id, '', 'key', now() from api_tokens where user_id = $1`,
    chris.userId,
  );
  const rules = [{ name: 'one', when: {}, steps: [{ role: 'checker' }] }];
  const policy = { rules, changes: { delayHours: 72 }, secondFactor: { approvals: true } };
  await execute('insert into policies (policy) values ($1)', JSON.stringify(policy));
});
afterAll(() => testDatabase.drop());

interface Proposal {
  /** Makes it, and returns its id. */
  make: () => Promise<string>;
  confirm: (manualOutcomeId: string) => Promise<unknown>;
  /** The column that says that it is confirmed. */
  table: string;
  confirmedBy: string;
}

const PROPOSALS: Readonly<Record<string, Proposal>> = {
  'an order is funded again': {
    make: async () => (await anOrderToFundAgain(testDatabase, tina)).manualOutcomeId,
    confirm: (id) => confirmOrderManualOutcomeAs(testDatabase.asServer, chris.tokenHash, id),
    table: 'conversion_manual_outcomes',
    confirmedBy: 'confirmed_by',
  },
  'a sign-up never took effect': {
    make: async () => (await aSignUpNeverCreated(testDatabase, olivia)).manualOutcomeId,
    confirm: (id) => confirmCaseManualOutcomeAs(testDatabase.asServer, chris.tokenHash, id),
    table: 'case_manual_outcomes',
    confirmedBy: 'confirmed_by',
  },
  'a virtual account has a number': {
    make: async () => (await aVirtualAccountWithNumber(testDatabase, tina)).manualOutcomeId,
    confirm: (id) => confirmVirtualAccountAs(testDatabase.asServer, chris.tokenHash, id),
    table: 'virtual_account_manual_outcomes',
    confirmedBy: 'closed_by',
  },
};

async function subjectOf(decision: Promise<unknown>): Promise<StoredSubject> {
  const refused = await decision.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ name: 'Refused', code: 'second_factor_needed' });
  return (refused as Refused).facts['subject'] as StoredSubject;
}

async function show(subject: StoredSubject): Promise<void> {
  await execute('update totp_factors set last_step = 0');
  const step = Math.floor(Date.now() / 30_000);
  await stepUpWithTotpAs(testDatabase.asServer, chris.tokenHash, subject, {
    step,
    newTokenHash: TokenHash.of(newToken()),
  });
}

test.each(Object.entries(PROPOSALS))(
  'that %s is confirmed with one for exactly what is said',
  async (_what, proposal) => {
    const manualOutcomeId = await proposal.make();
    const confirmer = async (): Promise<unknown> => {
      const { table, confirmedBy } = proposal;
      return (await execute(`select ${confirmedBy} as by from ${table} where manual_outcome_id = $1`, manualOutcomeId))
        .rows;
    };
    const subject = await subjectOf(proposal.confirm(manualOutcomeId));
    expect(subject).toMatchObject({ kind: 'manual_outcome', id: manualOutcomeId, decision: 'confirmed' });
    await show({ ...subject, contentHash: 'a'.repeat(64) });
    expect(await subjectOf(proposal.confirm(manualOutcomeId))).toEqual(subject);
    expect(await confirmer()).toEqual([{ by: null }]);
    await show(subject);
    await proposal.confirm(manualOutcomeId);
    expect(await confirmer()).toEqual([{ by: chris.userId }]);
  },
);
