import type { QueryClient } from '@tanstack/react-query';
import type { StreamEvent } from '../../api/inbox/stream.ts';
import type { RunDetail } from '../../api/runs/run.ts';

/** Brings what is shown up to what the server has told. */
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
function applyRun(queries: QueryClient, runId: string, told: Partial<RunDetail>): void {
  const queryKey = ['run', runId];
  const known = queries.getQueryData<RunDetail>(queryKey);
  if (known === undefined) {
    void readAgainIfOlder(queries, queryKey, told);
    return;
  }
  if (isSame(known, told)) {
    queries.setQueryData(queryKey, { ...known, ...told });
    return;
  }
  queries.setQueryData(queryKey, { ...known, ...told, allowedActions: [] });
  void queries.invalidateQueries({ queryKey });
}

/** The first read is under way: its answer may be from before what was told. */
async function readAgainIfOlder(queries: QueryClient, queryKey: string[], told: Partial<RunDetail>): Promise<void> {
  await queries
    .getQueryCache()
    .find({ queryKey, exact: true })
    ?.promise?.catch(() => undefined);
  const read = queries.getQueryData<RunDetail>(queryKey);
  if (read !== undefined && !isSame(read, told)) await queries.invalidateQueries({ queryKey });
}

function isSame(known: RunDetail, told: Partial<RunDetail>): boolean {
  return (
    known.state === told.state &&
    known.approvals === told.approvals &&
    JSON.stringify(known.stops) === JSON.stringify(told.stops) &&
    known.proposal?.contentHash === told.proposal?.contentHash
  );
}
