import type { OpenRequest } from '../../store/payments/payment-requests.ts';
import { SEND_WITHIN_MS, tryAgainIn } from './call-provider.ts';
import type { ActivitySettings } from '../dependencies.ts';

/** From seconds to minutes. */
const MOST_DOUBLINGS = 6;

/**
 * An open request is looked up only when what it did can be seen: the settle time after its end, or, when its end was
 * never seen (the worker died), after the latest moment at which it could still have been under way. It takes twice as
 * long after each try that came to nothing, so that an outage is not met with ever more requests.
 */
export function resolveOutcome(
  open: Pick<OpenRequest, 'endSeen' | 'ageMs' | 'earlier'>,
  settings: Pick<ActivitySettings, 'requestTimeoutMs' | 'visibilityDelayMs'>,
): void {
  const visibilityDelayMs = settings.visibilityDelayMs * 2 ** Math.min(open.earlier, MOST_DOUBLINGS);
  const endedAtMs = open.endSeen ? visibilityDelayMs : SEND_WITHIN_MS + settings.requestTimeoutMs + visibilityDelayMs;
  const remainingMs = endedAtMs - open.ageMs;
  if (remainingMs > 0) throw tryAgainIn(remainingMs, 'not_settled_yet', 'what the request did may not show yet');
}
