import { setTimeout as sleep } from 'node:timers/promises';
import { createPayrunClient } from '../../client/sdk/index.ts';
import { installUser } from '../../store/users/owner-users.ts';
import type { Measurements } from '../benchmark.ts';
import { benchRows } from './bench-rows.ts';
import type { BenchStack } from './bench-stack.ts';
import { approveRun, proposeRun } from './pay-run.ts';
import { usageOf } from './process-tree.ts';

const REQUESTS_PER_PAYMENT = 3;
/** So that the run still pays when the last is measured. */
const SPARE = 1.5;

/**
 * What people who watch a run in progress cost the server: its share of a processor with them, less that without, while the
 * run pays. Each is a user of their own with one stream, for the inbox and the run, as a browser of the console has.
 */
export async function measureWatchers(
  stack: BenchStack,
  { watchers, seconds, requestsPerSecond }: { watchers: number; seconds: number; requestsPerSecond: number },
): Promise<Measurements> {
  const rows = Math.ceil(((2 * seconds + 20) * requestsPerSecond * SPARE) / REQUESTS_PER_PAYMENT);
  const worker = await stack.startWorker({ name: 'watched-worker' });
  const ended = new AbortController();
  try {
    const runId = await proposeRun(stack, benchRows(rows, 'watched'));
    await approveRun(stack.checker, runId);
    await sleep(5_000);
    const alone = await shares(stack, seconds);
    const streams = await Promise.all(
      Array.from({ length: watchers }, (_, index) => watch(stack, runId, index, ended.signal)),
    );
    await sleep(2_000);
    const watched = await shares(stack, seconds);
    const { state } = await stack.maker.getRun({ runId });
    return {
      watchers,
      events: streams.reduce((sum, stream) => sum + stream.events, 0),
      wasStillPaying: state === 'running',
      serverShareAlone: alone.server,
      serverShareWatched: watched.server,
      serverShareOfWatchers: rounded(watched.server - alone.server),
      postgresShareOfWatchers: rounded(watched.postgres - alone.postgres),
    };
  } finally {
    ended.abort();
    await worker.stop();
  }
}

async function watch(
  stack: BenchStack,
  runId: string,
  index: number,
  signal: AbortSignal,
): Promise<{ events: number }> {
  const user = { login: `watcher-${index}`, name: `Watcher ${index}`, roles: ['checker' as const] };
  const token = await installUser(stack.ownerUrl, user, Date.now);
  const client = createPayrunClient({ url: stack.serverUrl, token });
  const stream = { events: 0 };
  const follow = async (): Promise<void> => {
    for await (const event of client.stream(['inbox', `run:${runId}`], { signal }))
      if (event.event === 'run') stream.events += 1;
  };
  // It ends with an error when it is aborted.
  void follow().catch(() => undefined);
  return stream;
}

/** Of one processor. */
async function shares({ pids }: BenchStack, seconds: number): Promise<{ server: number; postgres: number }> {
  const used = (): { server: number; postgres: number } => ({
    server: usageOf(pids.server)?.cpuMs ?? 0,
    postgres: usageOf(pids.postgres)?.cpuMs ?? 0,
  });
  const before = used();
  const begunMs = performance.now();
  await sleep(seconds * 1_000);
  const after = used();
  const ms = performance.now() - begunMs;
  return {
    server: rounded((after.server - before.server) / ms),
    postgres: rounded((after.postgres - before.postgres) / ms),
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
