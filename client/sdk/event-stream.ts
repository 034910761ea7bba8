/** One server-sent event. */
export interface ServerSentEvent {
  event: string;
  data: string;
  /** By which the stream is resumed; null: the event has none. */
  id: string | null;
}

/** In characters: a broken stream without line ends must not fill the memory. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/**
 * Reads server-sent events from the pieces of a body, however the network split them. Comments are skipped; a last event
 * without its empty line is dropped, as the standard requires.
 */
export async function* serverSentEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_EVENT_LENGTH) throw new Error('an event is longer than 16 MiB');
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): ServerSentEvent | null {
  let event = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  return data.length === 0 ? null : { event, data: data.join('\n'), id };
}
