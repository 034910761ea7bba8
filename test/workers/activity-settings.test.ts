import { expect, test } from 'vitest';
import { readEnvironment } from '../../config/environment.ts';
import { activitySettings } from '../../workers/activity-settings.ts';

const limits = (name: string) => ({
  name,
  requestsPerSecond: 10,
  requestsPerDay: 1_000,
  requestsReservedPerDay: 10,
});

test('an account that a worker does not know has no limits there: it is never taken for one without a limit', () => {
  const accounts = [limits('europe')];
  const { limitOf } = activitySettings(readEnvironment({}), accounts);
  expect(limitOf('europe')).toEqual({ perSecond: 10, perDay: 1_000, reservedPerDay: 10 });
  expect(() => limitOf('asia')).toThrow('account asia is not configured for this worker');
  accounts.push(limits('asia'));
  expect(limitOf('asia')).toEqual({ perSecond: 10, perDay: 1_000, reservedPerDay: 10 });
});
