import { describe, expect, test } from 'vitest';
import { SEND_WITHIN_MS } from '../../activities/calls/send-deadline.ts';
import { retryUntilVisible } from '../../activities/payments/visibility-delay.ts';

const SETTINGS = { requestTimeoutMs: 20_000, visibilityDelayMs: 5_000 };
const MAX_REQUEST_MS = SEND_WITHIN_MS + SETTINGS.requestTimeoutMs;

describe('a request with an unknown outcome is looked up', () => {
  test.each([
    ['the visibility delay after its end', { endSeen: true, earlier: 0 }, SETTINGS.visibilityDelayMs],
    [
      'twice as long after an earlier one without effect',
      { endSeen: true, earlier: 1 },
      2 * SETTINGS.visibilityDelayMs,
    ],
    ['at most 64 times the visibility delay', { endSeen: true, earlier: 50 }, 64 * SETTINGS.visibilityDelayMs],
    [
      'if its worker died, once it must have ended',
      { endSeen: false, earlier: 0 },
      MAX_REQUEST_MS + SETTINGS.visibilityDelayMs,
    ],
  ])('%s', (_when, open, afterMs) => {
    expect(() => retryUntilVisible({ ...open, ageMs: afterMs - 1 }, SETTINGS)).toThrow('may not be visible yet');
    expect(() => retryUntilVisible({ ...open, ageMs: afterMs }, SETTINGS)).not.toThrow();
  });
});
