import { expect, test } from 'vitest';
import {
  isNonIdempotent,
  mayUseReserve,
  OPERATION_TABLE,
  OPERATIONS,
  sendsReference,
} from '../../provider/operations.ts';

test('what may move money, or makes something with the provider, is not sent again while it may have taken effect', () => {
  expect(OPERATIONS.filter(isNonIdempotent)).toEqual([
    'auth-signup-v1',
    'user-signup-v2',
    'user-screen',
    'document-create',
    'beneficiary-create',
    'conversion-create',
    'conversion-fund',
    'simple-payment-create',
    'simple-payment-fund',
    'virtual-account-request-create',
  ]);
  expect(OPERATIONS.filter(sendsReference)).toEqual(['conversion-create', 'simple-payment-create']);
});

test('the last requests of a day are for payments and conversions that the provider has already, and make no others', () => {
  const finishing = OPERATIONS.filter(mayUseReserve);
  expect(finishing).toEqual([
    'auth-authenticate',
    'refund-get',
    'conversion-find',
    'conversion-get',
    'conversion-fund',
    'simple-payment-get',
    'simple-payment-find',
    'simple-payment-fund',
    'balance-find',
  ]);
  for (const of of ['simple-payment', 'conversion'] as const) {
    expect(finishing).toEqual(expect.arrayContaining([`${of}-find`, `${of}-get`, `${of}-fund`]));
    expect([OPERATION_TABLE[`${of}-quote`].mayUseReserve, OPERATION_TABLE[`${of}-create`].mayUseReserve]).toEqual([
      ...[false, false],
    ]);
  }
});
