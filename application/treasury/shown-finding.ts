import type { OrderFinding } from '../../api/treasury/order.ts';
import type { GuardFinding } from '../../domain/treasury/conversion-guards.ts';

/** A finding of a guard, in the words of the API. */
export function shownFinding({ guard, verdict, code, says }: GuardFinding): OrderFinding {
  return { guard, verdict, code, message: says };
}
