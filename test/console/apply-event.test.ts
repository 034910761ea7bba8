import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { StreamEvent } from '../../api/inbox/stream.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { applyEvent } from '../../console/shell/apply-event.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const STOP: AllowedAction = { action: 'stop', isAllowed: true, code: null, reason: null };
const NO_STOP: AllowedAction = { ...STOP, isAllowed: false, code: 'conflict', reason: 'there is nothing to stop' };

/** Of a run, what the page of it goes by. */
function aRun(state: RunDetail['state'], allowed: AllowedAction, rows: RunDetail['rows'] = {}): RunDetail {
  return { runId: RUN, state, stops: [], proposal: null, rows, allowedActions: [allowed] } as unknown as RunDetail;
}

function eventOf(run: RunDetail): StreamEvent {
  const { runId, state, stops, proposal, rows } = run;
  return {
    event: 'run',
    data: { topic: `run:${RUN}`, run: { runId, state, stops, proposal, rows } },
  } as unknown as StreamEvent;
}

/** A page that shows the run; each of its reads is answered by the test. */
function aPage() {
  const queries = new QueryClient();
  const reads: ((run: RunDetail) => void)[] = [];
  const observer = new QueryObserver<RunDetail>(queries, {
    queryKey: ['run', RUN],
    queryFn: () => new Promise<RunDetail>((resolve) => reads.push(resolve)),
  });
  observer.subscribe(() => undefined);
  const answer = async (run: RunDetail): Promise<void> => {
    await expect.poll(() => reads.length).toBeGreaterThan(0);
    reads.shift()?.(run);
    await expect.poll(() => queries.isFetching()).toBe(0);
  };
  return { queries, reads, answer, shown: () => queries.getQueryData<RunDetail>(['run', RUN]) };
}

describe('the page of a run', () => {
  it('never offers what was allowed in an earlier state', async () => {
    const { queries, answer, shown } = aPage();
    await answer(aRun('running', STOP));
    applyEvent(queries, eventOf(aRun('completed', NO_STOP)));
    expect(shown()).toMatchObject({ state: 'completed', allowedActions: [] });
    await answer(aRun('completed', NO_STOP));
    expect(shown()).toMatchObject({ state: 'completed', allowedActions: [NO_STOP] });
  });

  it('reads again when the run ends while it is being read for the first time', async () => {
    const { queries, reads, answer, shown } = aPage();
    await expect.poll(() => reads.length).toBe(1);
    applyEvent(queries, eventOf(aRun('completed', NO_STOP)));
    reads.shift()?.(aRun('running', STOP));
    await answer(aRun('completed', NO_STOP));
    expect(shown()?.state).toBe('completed');
    expect(shown()?.allowedActions).toEqual([NO_STOP]);
  });

  it('keeps what is allowed while only numbers move, and reads nothing', async () => {
    const { queries, reads, answer, shown } = aPage();
    await answer(aRun('running', STOP));
    applyEvent(queries, eventOf(aRun('running', STOP, { paid: 3 })));
    expect(shown()).toMatchObject({ rows: { paid: 3 }, allowedActions: [STOP] });
    expect(reads).toEqual([]);
  });
});
