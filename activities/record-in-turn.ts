import type { Queryable } from '../store/database.ts';
import { type Answer, recordAnswer } from '../store/payment-requests.ts';
import { tryAgainIn } from './call-provider.ts';

const LOOK_AGAIN_MS = 1_000;

/**
 * Records the answer to an exclusive request. A worker that was thought dead has lost its turn: whoever took over has
 * settled the request, so this activity begins again from what the record says now.
 */
export async function recordInTurn(database: Queryable, answer: Answer): Promise<void> {
  if ((await recordAnswer(database, answer)) === 'lost_turn') {
    throw tryAgainIn(LOOK_AGAIN_MS, 'lost_turn', 'another worker has taken this step over');
  }
}
