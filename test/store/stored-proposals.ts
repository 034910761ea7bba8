import { randomUUID } from 'node:crypto';
import { proposeVirtualAccountAs, requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { beginVirtualAccountRequest, giveUpVirtualAccountRequest } from '../../store/accounts/virtual-accounts.ts';
import { proposeCaseManualOutcomeAs } from '../../store/onboarding/case-decisions.ts';
import { proposeOrderManualOutcomeAs } from '../../store/treasury/order-decisions.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { aStoredCase } from './a-stored-case.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';

/** What a first person says of something whose end is unknown, so that a second one can confirm or reject it. */
export interface StoredProposal {
  /** The order, case or virtual account. */
  subjectId: string;
  manualOutcomeId: string;
}

export async function anOrderToFundAgain(testDatabase: TestDatabase, treasurer: TestUser): Promise<StoredProposal> {
  const { orderId } = await aStoredOrder(testDatabase, treasurer, 'unknown', { hasConversion: true });
  const said = { orderId, outcome: 'fund_again', reason: 'the provider has no debit' } as const;
  const manualOutcomeId = await proposeOrderManualOutcomeAs(testDatabase.asServer, treasurer.tokenHash, said);
  return { subjectId: orderId, manualOutcomeId };
}

export async function aSignUpNeverCreated(testDatabase: TestDatabase, onboarder: TestUser): Promise<StoredProposal> {
  const caseId = await aStoredCase(testDatabase, onboarder, 'unknown');
  const said = { caseId, outcome: 'never_created', userId: null, reason: 'the provider says so' };
  await proposeCaseManualOutcomeAs(testDatabase.asServer, onboarder.tokenHash, said);
  return { subjectId: caseId, manualOutcomeId: await idOf(testDatabase, 'case_manual_outcomes', 'case_id', caseId) };
}

export async function aVirtualAccountWithNumber(
  testDatabase: TestDatabase,
  treasurer: TestUser,
): Promise<StoredProposal> {
  const { asServer, asWorker } = testDatabase;
  const id = randomUUID();
  await requestVirtualAccountAs(asServer, treasurer.tokenHash, ACCOUNT, {
    ...{ virtualAccountId: id, name: 'Sales', tag: id.slice(0, 8), provider: 'code 1', currency: 'USD' },
    ...{ description: 'customers', type: 'open', amount: null, expiryDuration: null, approveAsync: true },
  });
  await beginVirtualAccountRequest(asWorker, id);
  await giveUpVirtualAccountRequest(asWorker, id);
  const said = { outcome: 'approved', requestId: null, number: '8800123456789012', reason: 'seen there' };
  await proposeVirtualAccountAs(asServer, treasurer.tokenHash, id, said);
  return {
    subjectId: id,
    manualOutcomeId: await idOf(testDatabase, 'virtual_account_manual_outcomes', 'virtual_account_id', id),
  };
}

async function idOf({ database }: TestDatabase, table: string, column: string, id: string): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `select manual_outcome_id as id from ${table} where ${column} = $1`,
    [id],
  );
  if (rows[0] === undefined) throw new Error('nothing was proposed');
  return rows[0].id;
}
