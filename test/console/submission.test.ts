import { describe, expect, test } from 'vitest';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { accountToPayFrom, keyOf, runOfConflict } from '../../console/payment-file/submission.ts';

describe('the account to pay from', () => {
  test('is the only one, with nothing to choose', () => {
    expect(accountToPayFrom(['europe'], null)).toBe('europe');
  });

  test('is none of several before one was chosen', () => {
    expect(accountToPayFrom(['default', 'europe'], null)).toBeNull();
    expect(accountToPayFrom(['default', 'europe'], 'europe')).toBe('europe');
    expect(accountToPayFrom([], null)).toBeNull();
  });

  test('is not one that the user may not use any more', () => {
    expect(accountToPayFrom(['default', 'asia'], 'europe')).toBeNull();
  });
});

describe('a submission whose key was used before', () => {
  test('leads to the run of that key', () => {
    expect(runOfConflict(new PayrunApiError(409, 'conflict', 'something else', { runId: 'run-1' }))).toBe('run-1');
  });

  test('is told from any other refusal', () => {
    expect(runOfConflict(new PayrunApiError(409, 'conflict', 'it has changed', null))).toBeNull();
    expect(runOfConflict(new PayrunApiError(400, 'invalid_input', 'wrong', { runId: 'run-1' }))).toBeNull();
    expect(runOfConflict(new Error('no answer'))).toBeNull();
  });
});

test('a file that is submitted again has the same key, unless it is read otherwise', () => {
  const file = new File([''], 'payments.csv');
  const profile = { name: 'One', headers: ['Betrag'], columns: { amount: { from: ['Betrag'] } } };
  const key = keyOf({ file, profile });
  expect(keyOf({ file, profile: { ...profile } })).toBe(key);
  const others = [keyOf({ file, profile: null }), keyOf({ file: new File([''], 'payments.csv'), profile })];
  expect(new Set([key, ...others]).size).toBe(3);
});
