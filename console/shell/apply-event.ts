import type { QueryClient } from '@tanstack/react-query';
import type { StreamEvent } from '../../api/inbox/stream.ts';
import type { RunDetail } from '../../api/runs/run.ts';

/** Brings what is shown up to what the server has sent. */
export function applyEvent(queries: QueryClient, event: StreamEvent): void {
  const [kind = '', id = ''] = event.data.topic.split(':');
  if (event.event === 'inbox') queries.setQueryData(['inbox'], event.data.inbox);
  else if (event.event === 'run') applyRun(queries, id, event.data.run);
  else if (event.event === 'runs') void queries.invalidateQueries({ queryKey: ['runs'] });
  else void queries.invalidateQueries({ queryKey: [kind, id] });
}

/**
 * An event has the state of the run, and not the actions that are allowed now. The known ones belong to the state before, so none
 * is offered until they have been read again.
 */
function applyRun(queries: QueryClient, runId: string, received: Partial<RunDetail>): void {
  const queryKey = ['run', runId];
  const known = queries.getQueryData<RunDetail>(queryKey);
  if (known === undefined) {
    void readAgainIfOlder(queries, queryKey, received);
    return;
  }
  if (isSame(known, received)) {
    queries.setQueryData(queryKey, { ...known, ...received });
    return;
  }
  queries.setQueryData(queryKey, { ...known, ...received, allowedActions: [] });
  void queries.invalidateQueries({ queryKey });
}

/** The first read is under way: its answer may be from before what was received. */
async function readAgainIfOlder(queries: QueryClient, queryKey: string[], received: Partial<RunDetail>): Promise<void> {
  await queries
    .getQueryCache()
    .find({ queryKey, exact: true })
    ?.promise?.catch(() => undefined);
  const read = queries.getQueryData<RunDetail>(queryKey);
  if (read !== undefined && !isSame(read, received)) await queries.invalidateQueries({ queryKey });
}

function isSame(known: RunDetail, received: Partial<RunDetail>): boolean {
  return (
    known.state === received.state &&
    known.approvals === received.approvals &&
    JSON.stringify(known.stops) === JSON.stringify(received.stops) &&
    known.proposal?.contentHash === received.proposal?.contentHash
  );
}
