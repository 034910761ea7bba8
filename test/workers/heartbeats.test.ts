import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput } from '@temporalio/worker';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { heartbeats } from '../../workers/heartbeats.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('an activity that takes long sends heartbeats while it runs, and none after it', async () => {
  let sent = 0;
  const { inbound } = heartbeats({ heartbeat: () => (sent += 1) } as unknown as Context);
  const done = inbound?.execute?.({} as ActivityExecuteInput, () => new Promise((end) => setTimeout(end, 9_000)));
  await vi.advanceTimersByTimeAsync(9_000);
  await done;
  expect(sent).toBe(3);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(sent).toBe(3);
});
