import type { StreamEvent } from '../../api/inbox/stream.ts';
import { hashOf, type TopicSource } from './topic-source.ts';

/** An event with the id by which a stream is resumed, or a sign of life. */
export type StreamItem = { kind: 'event'; id: string; event: StreamEvent } | { kind: 'heartbeat' };

/**
 * The events of several topics, each whenever it differs from what was sent of it before, or from what `lastEventId` says
 * was sent before. Ends when the signal is aborted.
 */
export async function* topicStream(
  sources: readonly { topic: string; source: TopicSource }[],
  options: { lastEventId: string | null; heartbeatMs: number; signal: AbortSignal },
): AsyncGenerator<StreamItem> {
  const { heartbeatMs, signal } = options;
  const names = sources.map(({ topic }) => topic);
  const sent = sentBefore(names, options.lastEventId);
  let wake: () => void = () => undefined;
  const onChange = (): void => wake();
  const stops = sources.map(({ source }) => source.watch(onChange));
  signal.addEventListener('abort', onChange);
  try {
    while (!signal.aborted) {
      const changed = sources.findIndex(({ source }, index) => source.event !== null && source.hash !== sent[index]);
      const source = sources[changed]?.source;
      if (source?.event != null) {
        sent[changed] = source.hash;
        yield { kind: 'event', id: eventId(names, sent), event: source.event };
        continue;
      }
      const woken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), heartbeatMs);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!woken) yield { kind: 'heartbeat' };
    }
  } finally {
    signal.removeEventListener('abort', onChange);
    for (const stop of stops) stop();
  }
}

/** What was sent of each topic: hashes in the order of the topics, after one of their names. */
function eventId(names: readonly string[], sent: readonly string[]): string {
  return [hashOf(names.join(',')), ...sent.map((hash) => hash || '-')].join('.');
}

/** From the id of the last event, if it is one of these topics. */
function sentBefore(names: readonly string[], lastEventId: string | null): string[] {
  const [ofNames, ...hashes] = (lastEventId ?? '').split('.');
  const isOfThese = ofNames === hashOf(names.join(',')) && hashes.length === names.length;
  return names.map((_name, index) => (isOfThese ? (hashes[index] ?? '') : ''));
}
