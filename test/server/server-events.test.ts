import { describe, expect, it } from 'vitest';
import type { ServerSentEvent } from '../../client/sdk/event-stream.ts';
import { serverSentEvents } from '../../client/sdk/event-stream.ts';
import { aRun } from './application-records.ts';
import { TOKENS } from './fake-application.ts';
import { aServer } from './server-harness.ts';
import { eventually } from '../helpers/until.ts';

const headers = { authorization: `Bearer ${TOKENS.viewer}` };

async function subscribe(serverUrl: string, signal?: AbortSignal) {
  const init = { headers, ...(signal && { signal }) };
  const response = await fetch(`${serverUrl}/api/v1/runs/018f2a00-0000-7000-8000-000000000001/events`, init);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  return serverSentEvents(response.body as ReadableStream<Uint8Array>);
}

async function next(events: AsyncGenerator<ServerSentEvent>): Promise<ServerSentEvent | null> {
  const turn = await events.next();
  return turn.done === true ? null : turn.value;
}

describe('live events', () => {
  it('a watcher gets the run at once, then each change and the end', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2 } });
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const events = await subscribe(server.url);
    expect(JSON.parse((await next(events))?.data ?? '')).toEqual(aRun());
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'running' }));
    expect(JSON.parse((await next(events))?.data ?? '')).toEqual(aRun({ state: 'running' }));
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'completed', rows: { paid: 3 } }));
    expect((await next(events))?.event).toBe('summary');
    expect((await next(events))?.event).toBe('end');
    expect(await next(events)).toBeNull();
  });

  it('a run that has ended is sent and followed by the end', async () => {
    const { application, server } = await aServer();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'rejected' }));
    const events = await subscribe(server.url);
    expect((await next(events))?.event).toBe('summary');
    expect((await next(events))?.event).toBe('end');
  });

  it('a connection without events gets heartbeats', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2, heartbeatMs: 5 } });
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const gone = new AbortController();
    const response = await fetch(`${server.url}/api/v1/runs/018f2a00-0000-7000-8000-000000000001/events`, {
      headers,
      signal: gone.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let received = '';
    while (!received.includes('\n: ')) received += Buffer.from((await reader.read()).value ?? []).toString();
    gone.abort();
    expect(received).toContain('event: summary');
  });

  it('a run is read once for everyone who watches it', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2 } });
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const gone = new AbortController();
    const watchers = await Promise.all(Array.from({ length: 5 }, () => subscribe(server.url, gone.signal)));
    for (const events of watchers) expect((await next(events))?.event).toBe('summary');
    const before = application.findCalls;
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'running' }));
    for (const events of watchers) expect((await next(events))?.event).toBe('summary');
    // Five watchers reading for themselves would each have read at least once more.
    expect(application.findCalls - before).toBeLessThan(5 * 2);
    gone.abort();
  });

  it('watching continues after the run could not be read for a moment', async () => {
    const { application, server, logged } = await aServer({ feed: { pollMs: 2 } });
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const events = await subscribe(server.url);
    await next(events);
    application.failures.set('findRun', new Error('the database is away'));
    await eventually(() => {
      expect(logged()).toContain('a watched run could not be read');
    });
    application.failures.clear();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'running' }));
    expect(JSON.parse((await next(events))?.data ?? '')).toMatchObject({ state: 'running' });
  });

  it('the number of watchers is limited, and a watcher who leaves makes room', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2, maxSubscribers: 1 } });
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const gone = new AbortController();
    await next(await subscribe(server.url, gone.signal));
    const status = async () => {
      const closing = new AbortController();
      const init = { headers, signal: closing.signal };
      const answer = await fetch(`${server.url}/api/v1/runs/018f2a00-0000-7000-8000-000000000001/events`, init);
      closing.abort();
      return answer.status;
    };
    expect(await status()).toBe(503);
    gone.abort();
    await eventually(async () => {
      expect(await status()).toBe(200);
    });
  });

  it('closing the server ends the stream without an end event', async () => {
    const { application, server } = await aServer();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const events = await subscribe(server.url);
    expect((await next(events))?.event).toBe('summary');
    const closed = server.close();
    expect(await next(events)).toBeNull();
    await closed;
  });
});
