import { type Inbox, inboxSchema } from '../../api/inbox/inbox.ts';
import { type SearchAnswer, searchAnswerSchema } from '../../api/inbox/search.ts';
import { STREAM_EVENT_NAMES, type StreamEvent, streamEventSchema } from '../../api/inbox/stream.ts';
import { checkedAnswer } from './checked-answer.ts';
import { serverSentEvents } from './event-stream.ts';
import type { HttpCaller } from './http-caller.ts';
import type { JsonCaller } from './json-caller.ts';

/** What waits for the user of the token, and what they look for. */
export interface InboxCalls {
  inbox(): Promise<Inbox>;
  search(text: string): Promise<SearchAnswer>;
  /**
   * What is watched (`inbox`, `runs`, `run:ID`, `order:ID`, `case:ID`), as it changes, until the connection ends: connect
   * again with the `id` of the last event, and what has not changed since is not sent again.
   */
  stream(
    topics: readonly string[],
    options?: { lastEventId?: string | null; signal?: AbortSignal },
  ): AsyncIterable<StreamEvent & { id: string | null }>;
}

export function inboxCalls(call: JsonCaller, http: HttpCaller): InboxCalls {
  return {
    inbox: () => call(inboxSchema, { path: '/inbox' }),
    search: (q) => call(searchAnswerSchema, { path: '/search', query: { q } }),
    stream: (topics, options) => stream(http, topics, options),
  };
}

async function* stream(
  http: HttpCaller,
  topics: readonly string[],
  { lastEventId = null, signal }: { lastEventId?: string | null; signal?: AbortSignal } = {},
): AsyncGenerator<StreamEvent & { id: string | null }> {
  const { body } = await http({
    path: '/stream',
    query: { topics: topics.join(',') },
    accept: 'text/event-stream',
    ...(lastEventId === null ? {} : { headers: { 'last-event-id': lastEventId } }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (body === null) return;
  for await (const { event, data, id } of serverSentEvents(body as AsyncIterable<Uint8Array>)) {
    // Those of later versions are left out.
    if (!STREAM_EVENT_NAMES.includes(event)) continue;
    yield { ...checkedAnswer(streamEventSchema, { event, data: JSON.parse(data) as unknown }, 200), id };
  }
}
