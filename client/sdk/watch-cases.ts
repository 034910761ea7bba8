import { setTimeout as delay } from 'node:timers/promises';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import type { CaseState } from '../../api/onboarding/case.ts';
import { PayrunApiError, PayrunUnreachableError } from './errors.ts';

export interface CaseWatchOptions {
  signal?: AbortSignal;
  /** Waits between two rounds of reads. */
  wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
  /** How long to go on without answers before giving up. Default 2 minutes. */
  reconnectTimeoutMs?: number;
  /** Milliseconds of a clock that is never set. */
  now?: () => number;
}

const RECONNECT_TIMEOUT_MS = 120_000;
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Each case at once, then whenever its state has changed, or what holds it, until `isDone` holds for the state of all. Reads no personal data.
 * Goes on while the server is away for a while. Throws PayrunApiError when the server refuses, PayrunUnreachableError when
 * `reconnectTimeoutMs` is over, and the signal's reason when it is aborted.
 */
export async function* watchCases(
  readCase: (caseId: string) => Promise<CaseDetail>,
  caseIds: readonly string[],
  isDone: (state: CaseState) => boolean,
  options: CaseWatchOptions = {},
): AsyncGenerator<CaseDetail> {
  const { signal, wait = pause, reconnectTimeoutMs = RECONNECT_TIMEOUT_MS } = options;
  const { now = () => performance.now() } = options;
  const shown = new Map<string, string>();
  let open = [...caseIds];
  let pauseMs = MIN_PAUSE_MS;
  /** When there was an answer last, or the first round after a success began. */
  let answeredAtMs = now();
  const done = new Set<string>();
  function* changesIn(caseId: string, seen: CaseDetail): Generator<CaseDetail> {
    if (isDone(seen.state)) done.add(caseId);
    const change = [seen.state, ...seen.holds.map(({ kind }) => kind)].join(' ');
    if (shown.get(caseId) === change) return;
    shown.set(caseId, change);
    pauseMs = MIN_PAUSE_MS;
    yield seen;
  }
  for (;;) {
    try {
      for (const caseId of open) {
        signal?.throwIfAborted();
        const seen = await readCase(caseId);
        yield* changesIn(caseId, seen);
        answeredAtMs = now();
      }
    } catch (error) {
      if (!isTemporary(error) || now() - answeredAtMs >= reconnectTimeoutMs) throw error;
    }
    open = open.filter((caseId) => !done.has(caseId));
    if (open.length === 0) return;
    await wait(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof PayrunUnreachableError || (error instanceof PayrunApiError && error.status >= 500);
}

async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, signal === undefined ? {} : { signal });
}
