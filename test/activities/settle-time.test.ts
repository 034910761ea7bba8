import { describe, expect, test } from 'vitest';
import { SEND_WITHIN_MS } from '../../activities/payments/call-provider.ts';
import { resolveOutcome } from '../../activities/payments/visibility-delay.ts';

const SETTINGS = { requestTimeoutMs: 20_000, visibilityDelayMs: 5_000 };
const LONGEST_UNDER_WAY_MS = SEND_WITHIN_MS + SETTINGS.requestTimeoutMs;

describe('a request whose outcome is not known is looked up', () => {
  test.each([
    ['the settle time after its end', { endSeen: true, earlier: 0 }, SETTINGS.visibilityDelayMs],
    ['twice as long after one that came to nothing', { endSeen: true, earlier: 1 }, 2 * SETTINGS.visibilityDelayMs],
    ['no longer than 64 times that', { endSeen: true, earlier: 50 }, 64 * SETTINGS.visibilityDelayMs],
    [
      'where its worker died, once it can no longer be under way',
      { endSeen: false, earlier: 0 },
      LONGEST_UNDER_WAY_MS + SETTINGS.visibilityDelayMs,
    ],
  ])('%s', (_when, open, afterMs) => {
    expect(() => resolveOutcome({ ...open, ageMs: afterMs - 1 }, SETTINGS)).toThrow('may not show yet');
    expect(() => resolveOutcome({ ...open, ageMs: afterMs }, SETTINGS)).not.toThrow();
  });
});
