import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { applyEvent } from './apply-event.ts';
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
