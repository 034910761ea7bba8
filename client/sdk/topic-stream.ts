import { requestOf } from '../../api/endpoint-call.ts';
import { streamEndpoints } from '../../api/inbox/endpoints.ts';
import { STREAM_EVENT_NAMES, type StreamEvent, streamEventSchema } from '../../api/inbox/stream.ts';
import { serverSentEvents } from './event-stream.ts';
import { checkedAnswer, type HttpCaller } from './http-caller.ts';

export interface StreamOptions {
  lastEventId?: string | null;
  signal?: AbortSignal;
}

/** With the id by which the stream is resumed. */
export type ReceivedEvent = StreamEvent & { id: string | null };

export async function* topicStream(
  http: HttpCaller,
  topics: readonly string[],
  { lastEventId = null, signal }: StreamOptions = {},
): AsyncGenerator<ReceivedEvent> {
  const { body } = await http({
    ...requestOf(streamEndpoints.stream, { topics }),
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
