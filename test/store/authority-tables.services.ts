import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIRTUAL_ACCOUNT_STATE_TABLE, VIRTUAL_ACCOUNT_STATES } from '../../domain/accounts/virtual-account-state.ts';
import { CHANGE_KINDS } from '../../domain/approvals/change-kind.ts';
import { CASE_STATES, mayTransitionCase } from '../../domain/onboarding/case-state.ts';
import { mayTransitionPayment, PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { isDecidingRole, isGrantedByTwo, PERMISSIONS, ROLES, roleMay } from '../../domain/users/role.ts';
import { scopeOf } from '../../domain/users/token-scope.ts';
import { mayTransitionRun, RUN_STATES } from '../../domain/runs/run-state.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** What is defined both in the code and in the database must be the same. */
let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function ask(expression: string, values: readonly string[]): Promise<boolean> {
  const { rows } = await testDatabase.database.query<{ answer: boolean }>(`select ${expression} as answer`, [
    ...values,
  ]);
  return rows[0]?.answer === true;
}

test('each role has the same permissions in the database as in the code', async () => {
  for (const role of ROLES) {
    for (const permission of PERMISSIONS) {
      expect([role, permission, await ask('role_may($1, $2)', [role, permission])]).toEqual([
        role,
        permission,
        roleMay(role, permission),
      ]);
    }
    expect(await ask('role_may($1, $2)', [role, 'anything_else'])).toBe(false);
    expect([role, await ask('is_deciding($1)', [role])]).toEqual([role, isDecidingRole(role)]);
    expect([role, await ask('is_granted_by_two($1)', [role])]).toEqual([role, isGrantedByTwo(role)]);
  }
  expect(await ask('role_may($1, $2)', ['owner', 'submit_run'])).toBe(false);
});

test('each permission takes a token with the same scope in the database as in the code', async () => {
  for (const permission of PERMISSIONS) {
    expect([permission, await ask('scope_of($1) = $2', [permission, scopeOf(permission)])]).toEqual([permission, true]);
  }
  expect(await ask('scope_of($1) = $2', ['anything_else', 'decide'])).toBe(true);
});

test('changes are of the same kinds in the database as in the code, which has words for each', async () => {
  const { rows } = await testDatabase.database.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'changes_kind_check'`,
  );
  const kinds = [...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
  expect(new Set(kinds)).toEqual(new Set(CHANGE_KINDS));
});

test('a payment has the same transitions in the database as in the code', async () => {
  for (const from of PAYMENT_STATES) {
    for (const to of PAYMENT_STATES) {
      const moves = await ask('may_move_payment($1, $2)', [from, to]);
      expect([from, to, moves]).toEqual([from, to, mayTransitionPayment(from, to)]);
    }
  }
});

test('a run has the same transitions in the database as in the code', async () => {
  for (const from of RUN_STATES) {
    for (const to of RUN_STATES) {
      const moves = await ask('may_move_run($1, $2)', [from, to]);
      expect([from, to, moves]).toEqual([from, to, mayTransitionRun(from, to)]);
    }
  }
});

test('a case has the same transitions in the database as in the code', async () => {
  for (const from of CASE_STATES) {
    for (const to of CASE_STATES) {
      const moves = await ask('may_move_case($1, $2)', [from, to]);
      expect([from, to, moves]).toEqual([from, to, mayTransitionCase(from, to)]);
    }
  }
});

test('a virtual account has the same transitions in the database as in the code', async () => {
  for (const from of VIRTUAL_ACCOUNT_STATES) {
    for (const to of VIRTUAL_ACCOUNT_STATES) {
      const moves = await ask('may_move_virtual_account($1, $2)', [from, to]);
      expect([from, to, moves]).toEqual([from, to, VIRTUAL_ACCOUNT_STATE_TABLE[from].next.includes(to)]);
    }
  }
});
