import { expect, test } from 'vitest';
import { concurrencyLimitsOf } from '../../config/account-settings.ts';

test('the concurrency limit of a run is by the request limit of its own account', () => {
  const concurrencyLimitOf = concurrencyLimitsOf([
    { name: 'default', requestsPerSecond: 5 },
    { name: 'fast', requestsPerSecond: 20 },
    { name: 'unlimited', requestsPerSecond: 0 },
  ]);
  expect(['default', 'fast', 'unlimited'].map(concurrencyLimitOf)).toEqual([50, 200, 200]);
  expect(() => concurrencyLimitOf('other')).toThrow('no provider account named other');
});
