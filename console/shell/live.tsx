import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { StreamEvent } from '../../api/inbox/stream.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { type Connection, LiveStream } from './live-stream.ts';

const LiveContext = createContext<{ stream: LiveStream | null; connection: Connection }>({
  stream: null,
  connection: 'connecting',
});

/** Keeps what is shown as the server tells. What was lost while the connection was, is read again. */
export function Live({ children }: { children: ReactNode }): ReactNode {
  const queries = useQueryClient();
  const [stream, setStream] = useState<LiveStream | null>(null);
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    let wasLost = false;
    const opened = new LiveStream(
      (event) => applyEvent(queries, event),
      (now) => {
        if (now === 'live' && wasLost) void queries.invalidateQueries();
        wasLost = now === 'lost';
        setConnection(now);
      },
    );
    setStream(opened);
    return () => opened.close();
  }, [queries]);
  return <LiveContext value={{ stream, connection }}>{children}</LiveContext>;
}

export function useConnection(): Connection {
  return useContext(LiveContext).connection;
}

/** Watches `inbox`, `runs`, `run:ID`, `order:ID` or `case:ID` for as long as the element is shown. */
export function useTopic(topic: string | null): void {
  const { stream } = useContext(LiveContext);
  useEffect(() => (topic === null ? undefined : stream?.watch(topic)), [stream, topic]);
}

function applyEvent(queries: QueryClient, event: StreamEvent): void {
  const [kind = '', id = ''] = event.data.topic.split(':');
  if (event.event === 'inbox') queries.setQueryData(['inbox'], event.data.inbox);
  else if (event.event === 'run') applyRun(queries, id, event.data.run);
  else if (event.event === 'runs') void queries.invalidateQueries({ queryKey: ['runs'] });
  else void queries.invalidateQueries({ queryKey: [kind, id] });
}

/** The stream tells how the run is; what one may do with it is asked for again when its state has changed. */
function applyRun(queries: QueryClient, runId: string, run: Partial<RunDetail>): void {
  const known = queries.getQueryData<RunDetail>(['run', runId]);
  if (known !== undefined) queries.setQueryData(['run', runId], { ...known, ...run });
  const isSame =
    known?.state === run.state &&
    JSON.stringify(known?.stops) === JSON.stringify(run.stops) &&
    known?.proposal?.contentHash === run.proposal?.contentHash;
  if (isSame) return;
  void queries.invalidateQueries({ queryKey: ['run', runId] });
}
