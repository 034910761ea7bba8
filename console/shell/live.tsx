import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { applyEvent } from './apply-event.ts';
import { type Connection, LiveStream } from './live-stream.ts';

const LiveContext = createContext<{ stream: LiveStream | null; connection: Connection; topics: readonly string[] }>({
  stream: null,
  connection: 'connecting',
  topics: [],
});

/** Keeps what is shown as the server tells. What was lost while the connection was, is read again. */
export function Live({ children }: { children: ReactNode }): ReactNode {
  const queries = useQueryClient();
  const [stream, setStream] = useState<LiveStream | null>(null);
  const [{ connection, topics }, setState] = useState<{ connection: Connection; topics: readonly string[] }>({
    connection: 'connecting',
    topics: [],
  });
  useEffect(() => {
    let wasLost = false;
    const opened = new LiveStream(
      (event) => applyEvent(queries, event),
      (now, about) => {
        if (now === 'live' && wasLost) void queries.invalidateQueries();
        wasLost = now === 'lost';
        setState({ connection: now, topics: about });
      },
    );
    setStream(opened);
    return () => opened.close();
  }, [queries]);
  return <LiveContext value={{ stream, connection, topics }}>{children}</LiveContext>;
}

export function useConnection(): Connection {
  return useContext(LiveContext).connection;
}

/** How often what is shown is read again while nothing tells of it. */
const POLL_MS = 5_000;

/**
 * Watches `inbox`, `runs`, `run:ID`, `order:ID` or `case:ID` for as long as the element is shown. Returns how often it is to be
 * read as well: never while its events come, and every few seconds while they do not.
 */
export function useTopic(topic: string): number | false {
  const { stream, connection, topics } = useContext(LiveContext);
  useEffect(() => stream?.watch(topic), [stream, topic]);
  return connection === 'live' && topics.includes(topic) ? false : POLL_MS;
}
