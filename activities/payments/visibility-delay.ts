import type { OpenRequest } from '../../store/payments/request-history.ts';
import { SEND_WITHIN_MS } from '../calls/send-deadline.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivitySettings } from '../dependencies.ts';

/** The delay grows from seconds to minutes. */
const MAX_DOUBLINGS = 6;

/**
 * Throws a retry until the effect of an open request must be visible at the provider: the visibility delay after its end,
 * or, if its end was not seen (the worker died), after the latest time at which it could have ended. The delay doubles with
 * each earlier request that had no effect, so that an outage does not cause ever more requests.
 */
export function retryUntilVisible(
  open: Pick<OpenRequest, 'endSeen' | 'ageMs' | 'earlier'>,
  settings: Pick<ActivitySettings, 'requestTimeoutMs' | 'visibilityDelayMs'>,
): void {
  const visibilityDelayMs = settings.visibilityDelayMs * 2 ** Math.min(open.earlier, MAX_DOUBLINGS);
  // guard: waits-for-the-dead
  const visibleAtMs = open.endSeen ? visibilityDelayMs : SEND_WITHIN_MS + settings.requestTimeoutMs + visibilityDelayMs;
  const remainingMs = visibleAtMs - open.ageMs;
  // guard: lookup-once-visible
  if (remainingMs > 0) throw tryAgainIn(remainingMs, 'not_visible_yet', 'what the request did may not be visible yet');
}
