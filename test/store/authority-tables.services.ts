import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayMove, PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { isDecidingRole, PERMISSIONS, ROLES, roleMay } from '../../domain/users/role.ts';
import { mayMoveRun, RUN_STATES } from '../../domain/runs/run-state.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** What the code and the database both know must not come apart. */
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

test('each role may do the same by the database as by the code', async () => {
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
  }
  expect(await ask('role_may($1, $2)', ['owner', 'submit_run'])).toBe(false);
});

test('a row moves by the database as by the code', async () => {
  for (const from of PAYMENT_STATES) {
    for (const to of PAYMENT_STATES) {
      const moves = await ask('may_move_payment($1, $2)', [from, to]);
      expect([from, to, moves]).toEqual([from, to, mayMove(from, to)]);
    }
  }
});

test('a run moves by the database as by the code', async () => {
  for (const from of RUN_STATES) {
    for (const to of RUN_STATES) {
      const moves = await ask('may_move_run($1, $2)', [from, to]);
      expect([from, to, moves]).toEqual([from, to, mayMoveRun(from, to)]);
    }
  }
});
