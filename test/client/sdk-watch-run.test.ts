import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../client/sdk/index.ts';
import { createPayrunClient, PayrunUnreachableError } from '../../client/sdk/index.ts';
import { aRun } from '../server/application-records.ts';
import { aClient, all, anOddServer } from './sdk-harness.ts';

describe('watching a run', () => {
  const noWait = () => Promise.resolve();

  it('gives each state once and ends with the run', async () => {
    const { application, client } = await aClient();
    const states: string[] = [];
    for await (const run of client.watchRun({ runId: '018f2a00-0000-7000-8000-000000000001' })) {
      states.push(run.state);
      application.runs.set(
        '018f2a00-0000-7000-8000-000000000001',
        aRun({ state: run.state === 'in_approval' ? 'running' : 'completed' }),
      );
    }
    expect(states).toEqual(['in_approval', 'running', 'completed']);
  });

  /** A server whose connections end in turn as told; what it sends is in the hands of the test. */
  function connections(...turns: RequestListener[]): Promise<string> {
    return anOddServer((request, response) => {
      const turn = turns.length > 1 ? turns.shift() : turns[0];
      turn?.(request, response);
    });
  }

  function events(...runs: (RunSummary | 'end')[]): string {
    return runs
      .map((run) => (run === 'end' ? 'event: end\ndata: {}\n\n' : `event: summary\ndata: ${JSON.stringify(run)}\n\n`))
      .join('');
  }

  it('continues after the connection broke, without repeating a state', async () => {
    const url = await connections(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events(aRun()), () => response.destroy());
      },
      (_request, response) => response.destroy(),
      (_request, response) => response.writeHead(503).end('{"error":{"code":"unavailable","message":"soon"}}'),
      (_request, response) => response.end(events(aRun())),
      (_request, response) => response.end(events(aRun(), aRun({ state: 'completed' }), 'end')),
    );
    const runs = await all(
      createPayrunClient({ url, token: null }).watchRun(
        { runId: '018f2a00-0000-7000-8000-000000000001' },
        { wait: noWait },
      ),
    );
    expect(runs.map(({ state }) => state)).toEqual(['in_approval', 'completed']);
  });

  it('replaces a connection that is silent for too long', async () => {
    const url = await connections(
      (_request, response) => response.write(events(aRun())),
      (_request, response) => response.end(events(aRun({ state: 'completed' }), 'end')),
    );
    const watching = createPayrunClient({ url, token: null }).watchRun(
      { runId: '018f2a00-0000-7000-8000-000000000001' },
      {
        wait: noWait,
        idleTimeoutMs: 1_000,
      },
    );
    expect((await all(watching)).map(({ state }) => state)).toEqual(['in_approval', 'completed']);
  });

  it('waits longer each time, and gives up after reconnectTimeoutMs', async () => {
    const url = await connections((_request, response) => response.destroy());
    const waits: number[] = [];
    let clockMs = 0;
    const wait = (delayMs: number) => {
      waits.push(delayMs);
      clockMs += delayMs;
      return Promise.resolve();
    };
    const watching = createPayrunClient({ url, token: null }).watchRun(
      { runId: '018f2a00-0000-7000-8000-000000000001' },
      {
        wait,
        now: () => clockMs,
        reconnectTimeoutMs: 20_000,
      },
    );
    await expect(all(watching)).rejects.toThrow(PayrunUnreachableError);
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  it('counts the time that attempts take, not only its pauses', async () => {
    let clockMs = 0;
    const url = await connections((_request, response) => {
      clockMs += 8_000;
      response.destroy();
    });
    const waits: number[] = [];
    const wait = (delayMs: number) => {
      waits.push(delayMs);
      return Promise.resolve();
    };
    const watching = createPayrunClient({ url, token: null }).watchRun(
      { runId: '018f2a00-0000-7000-8000-000000000001' },
      { wait, now: () => clockMs, reconnectTimeoutMs: 20_000 },
    );
    await expect(all(watching)).rejects.toThrow(PayrunUnreachableError);
    expect(waits).toEqual([250, 500]);
  });

  it('ends with the field of an event in another shape, and ignores events that it does not know', async () => {
    const odd = 'event: news\ndata: no JSON\n\nevent: summary\ndata: {"runId":7}\n\n';
    const url = await connections((_request, response) => response.end(odd));
    const watching = createPayrunClient({ url, token: null }).watchRun(
      { runId: '018f2a00-0000-7000-8000-000000000001' },
      {
        wait: noWait,
      },
    );
    await expect(all(watching)).rejects.toMatchObject({ code: 'unexpected_answer', field: 'data.runId' });
  });

  it('does not retry when it is refused', async () => {
    const { client } = await aClient();
    const wait = () => Promise.reject(new Error('it waited'));
    await expect(
      all(client.watchRun({ runId: '018f2a00-0000-7000-8000-000000000009' }, { wait })),
    ).rejects.toMatchObject({
      status: 404,
    });
  });

  it('ends with its reason when it is aborted', async () => {
    const { client } = await aClient();
    const gone = new AbortController();
    const watching = (async () => {
      for await (const run of client.watchRun(
        { runId: '018f2a00-0000-7000-8000-000000000001' },
        { signal: gone.signal },
      ))
        gone.abort(new Error(run.state));
    })();
    await expect(watching).rejects.toThrow('in_approval');
  });
});
