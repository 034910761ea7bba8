import { expect, test } from 'vitest';
import { windowSizesOf } from '../../config/sending-window.ts';

test('a run’s window is by the limit of its own account', () => {
  const windowSizeOf = windowSizesOf([
    { name: 'default', requestsPerSecond: 5 },
    { name: 'fast', requestsPerSecond: 20 },
    { name: 'unlimited', requestsPerSecond: 0 },
  ]);
  expect(['default', 'fast', 'unlimited'].map(windowSizeOf)).toEqual([50, 200, 200]);
  expect(() => windowSizeOf('other')).toThrow('no provider account named other');
});
