import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onStopSignals } from '../../local/embedded/stop-signals.ts';

test('the first signal stops, the second kills, and the listeners can be removed', () => {
  const signals = new EventEmitter();
  const done: string[] = [];
  const forget = onStopSignals({
    signals,
    report: () => undefined,
    stop: (signal) => done.push(`stop on ${signal}`),
    kill: (signal) => done.push(`kill on ${signal}`),
  });
  signals.emit('SIGTERM', 'SIGTERM');
  signals.emit('SIGINT', 'SIGINT');
  expect(done).toEqual(['stop on SIGTERM', 'kill on SIGINT']);
  forget();
  expect(signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM') + signals.listenerCount('SIGHUP')).toBe(0);
});
