import { describe, expect, it } from 'vitest';
import { eventAnswer } from '../../server/event-answer.ts';
import { TopicSource } from '../../server/inbox/topic-source.ts';
import { topicStream } from '../../server/inbox/topic-stream.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { STREAM_SETTINGS, type StreamingApplication, StreamTopics } from '../../server/inbox/stream-topics.ts';
import { TokenHash } from '../../store/users/token-hash.ts';

/** Which watchers share what is read. What is shared is read with the rights of the first of them. */

const USER: SignedIn = {
  ...{ userId: 'user', login: 'chris', name: 'Chris', tokenId: 'token', tokenHash: TokenHash.of('one') },
  scopes: ['read'],
  ...{ roles: ['checker'], accounts: null },
};
const topics = new StreamTopics({} as StreamingApplication, STREAM_SETTINGS, () => undefined);

function sourceOf(change: Partial<SignedIn>, topic = 'inbox') {
  const [found] = topics.sourcesOf({ ...USER, ...change }, [topic]);
  if (found === undefined) throw new Error('a topic has no source');
  // Only what is watched is kept.
  found.source.watch(() => undefined);
  return found.source;
}

describe('an inbox', () => {
  it('is read once for several streams of one sign-in', () => {
    expect(sourceOf({})).toBe(sourceOf({}));
  });

  it.each<[string, Partial<SignedIn>]>([
    ['that a user who is limited by now watched before', { accounts: ['subsidiary'] }],
    ['that a user watched with another role', { roles: ['viewer'] }],
    ['that was watched before the session got another token hash', { tokenHash: TokenHash.of('two') }],
    ['of another sign-in', { tokenId: 'other' }],
  ])('%s is not shared', (_what, change) => {
    expect(sourceOf(change)).not.toBe(sourceOf({}));
  });
});

describe('a run', () => {
  it('is read once for all who may see the same', () => {
    const run = 'run:018f2a00-0000-7000-8000-000000000001';
    expect(sourceOf({ userId: 'other', tokenId: 'other' }, run)).toBe(sourceOf({}, run));
    expect(sourceOf({ accounts: [] }, run)).not.toBe(sourceOf({}, run));
  });
});

describe('several topics of one stream', () => {
  it('are all shared with the next stream', () => {
    const own = new StreamTopics({} as StreamingApplication, STREAM_SETTINGS, () => undefined);
    const names = ['inbox', 'run:018f2a00-0000-7000-8000-000000000002'];
    const first = own.sourcesOf(USER, names);
    for (const { source } of first) source.watch(() => undefined);
    expect(own.sourcesOf(USER, names)).toEqual(first);
    for (const [index, { source }] of own.sourcesOf(USER, names).entries()) expect(source).toBe(first[index]?.source);
  });
});

describe('a topic', () => {
  const NEVER_MS = 600_000;

  it('that nobody watches any longer is read again before it is shown again', async () => {
    let state = 'in_approval';
    const read = () =>
      Promise.resolve({ event: 'changed', data: { topic: 'order:1', state, changedAt: null } } as const);
    const source = new TopicSource(read, NEVER_MS, () => undefined);
    const shown = async () => {
      const signal = new AbortController();
      const options = { lastEventId: null, heartbeatMs: NEVER_MS, signal: signal.signal };
      for await (const item of topicStream([{ topic: 'order:1', source }], options))
        return item.kind === 'event' ? item.event.data : item.kind;
      return null;
    };
    expect(await shown()).toMatchObject({ state: 'in_approval' });
    expect(source.isWatched).toBe(false);
    state = 'completed';
    expect(await shown()).toMatchObject({ state: 'completed' });
  });

  it('is known as it was only while somebody watches it', async () => {
    const known: boolean[] = [];
    const read = (isKnown: boolean) => {
      known.push(isKnown);
      return Promise.resolve({ event: 'gone', data: { topic: 'inbox' } } as const);
    };
    const source = new TopicSource(read, NEVER_MS, () => undefined);
    for (let n = 0; n < 2; n += 1) {
      const stop = source.watch(() => undefined);
      await expect.poll(() => source.event).not.toBeNull();
      stop();
    }
    expect(known).toEqual([false, false]);
  });
});

it('a stream ends for a client that does not read as well, and nothing is read for it any longer', async () => {
  const read = () => Promise.resolve({ event: 'gone', data: { topic: 'inbox', at: Math.random() } } as never);
  const source = new TopicSource(read, 1, () => undefined);
  const closed = new AbortController();
  const options = { lastEventId: null, heartbeatMs: 1, signal: closed.signal };
  const lines = async function* () {
    for await (const item of topicStream([{ topic: 'inbox', source }], options)) yield item.kind;
  };
  const answer = eventAnswer(lines(), closed.signal, { graceMs: 1, highWaterMark: 1 });
  answer.read();
  await expect.poll(() => source.isWatched && answer.readableLength > 0).toBe(true);
  closed.abort();
  await expect.poll(() => source.isWatched).toBe(false);
});
