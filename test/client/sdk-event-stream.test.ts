import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerSentEvent } from '../../client/sdk/event-stream.ts';
import { serverSentEvents } from '../../client/sdk/event-stream.ts';

async function eventsIn(bytes: Uint8Array, cuts: readonly number[] = []): Promise<ServerSentEvent[]> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(streamOf(pieces))) events.push(event);
  return events;
}

async function* streamOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

describe('server-sent events', () => {
  it('are the same however the network splits them', async () => {
    const text =
      'id: 7.a\nevent: summary\ndata: {"beneficiary":"Müller 株式会社"}\n\n: still here\n\nevent: end\r\ndata: {}\r\n\r\n';
    const bytes = Buffer.from(text);
    const whole = [
      { event: 'summary', data: '{"beneficiary":"Müller 株式会社"}', id: '7.a' },
      { event: 'end', data: '{}', id: null },
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        expect(await eventsIn(bytes, cuts)).toEqual(whole);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('an incomplete event is dropped', async () => {
    expect(await eventsIn(Buffer.from('event: end\ndata: {}\n'))).toEqual([]);
  });
});
