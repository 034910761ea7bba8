import { describe, expect, test } from 'vitest';
import { monotonicClock, sleepUntil } from '../../provider/rate-limiter/rate-limiter-clock.ts';
import { RateLimiterRefusal, type LeaseStore } from '../../provider/rate-limiter/rate-limiter.ts';
import { createRateLimiter, type RateLimiterOptions } from '../../provider/rate-limiter/shared-rate-limiter.ts';
import { MemoryLeaseStore } from './memory-lease-store.ts';
import { settled, VirtualClock } from './virtual-clock.ts';

function aRateLimiter(limitPerSecond: number, more: Partial<RateLimiterOptions> = {}) {
  const clock = new VirtualClock();
  const store = new MemoryLeaseStore(clock, limitPerSecond);
  const options = { account: 'default', store, limitPerSecond, clock, ...more };
  return { clock, store, rateLimiter: createRateLimiter(options) };
}

describe('rate limiter', () => {
  test('requests are sent in the order of their arrival', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(2);
    const sent: number[] = [];
    const work = Array.from({ length: 7 }, (_, index) =>
      rateLimiter.run(async () => {
        sent.push(index);
        await clock.wait(30);
      }),
    );
    await clock.runUntil(Promise.all(work));
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(store.maxConcurrentQueries).toBe(1);
  });

  test('a waiting request that is given up leaves the queue, and the next one gets its lease', async () => {
    const { clock, rateLimiter } = aRateLimiter(1);
    const sent: string[] = [];
    const giveUp = new AbortController();
    const first = rateLimiter.run(async () => {
      sent.push('first');
      await clock.wait(30);
    });
    const second = rateLimiter.run(() => Promise.resolve(sent.push('second')), { signal: giveUp.signal });
    const third = rateLimiter.run(() => Promise.resolve(sent.push('third')));
    await settled();
    giveUp.abort();
    await expect(second).rejects.toBeInstanceOf(RateLimiterRefusal);
    await clock.runUntil(Promise.all([first, third]));
    expect(sent).toEqual(['first', 'third']);
  });

  test('a request that is given up during the cooldown of its lease is not sent, and the lease is released', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(1);
    await clock.runUntil(rateLimiter.run(() => clock.wait(10)));
    await clock.advance(5);
    const giveUp = new AbortController();
    const waiting = rateLimiter.run(() => Promise.reject(new Error('it was sent')), { signal: giveUp.signal });
    await clock.advance(100);
    giveUp.abort();
    await expect(clock.runUntil(waiting)).rejects.toThrow('given up before it was sent');
    await clock.runUntil(rateLimiter.drained());
    expect(store.released.at(-1)).toEqual({ number: 0, sinceAnswerMs: 0, roundTripMs: null });
  });

  test('a process whose registration has expired releases its lease and takes another one', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(2);
    store.holds = false;
    const work = rateLimiter.run(() => Promise.resolve(clock.nowMs()));
    await clock.advance(100);
    expect(store.released).toEqual([{ number: 0, sinceAnswerMs: 0, roundTripMs: null }]);
    store.holds = true;
    expect(await clock.runUntil(work)).toBeGreaterThan(100);
  });

  test('a pause also holds back requests that already have a lease', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(2);
    const sentMs: number[] = [];
    await clock.runUntil(rateLimiter.run(() => clock.wait(10)));
    await clock.advance(10);
    const asking = rateLimiter.run(async (_signal, lease) => {
      await clock.wait(5);
      lease.answered(5);
      lease.pause(7_000);
    });
    const waiting = rateLimiter.run(() => Promise.resolve(sentMs.push(clock.nowMs())));
    const pausedAtMs = await clock.runUntil(asking.then(() => clock.nowMs()));
    await clock.runUntil(waiting);
    expect(store.pausesMs).toEqual([7_000]);
    expect(sentMs[0]).toBeGreaterThanOrEqual(pausedAtMs + 7_000);
  });

  test.each([
    ['its lease has expired', (store: MemoryLeaseStore) => void (store.holds = false)],
    ['a pause has begun', () => undefined],
  ])('a request whose beforeSend took long is not sent if %s', async (what, happens) => {
    const { clock, rateLimiter, store } = aRateLimiter(2);
    const asking = rateLimiter.run(async (_signal, lease) => {
      await clock.wait(50);
      if (what.startsWith('a pause')) lease.pause(7_000);
    });
    const late = rateLimiter.run(async (_signal, lease) => {
      await clock.wait(100);
      happens(store);
      lease.recheck();
      return 'sent';
    });
    const [, outcome] = await clock.runUntil(Promise.allSettled([asking, late]));
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'RateLimiterRefusal' } });
    await clock.runUntil(rateLimiter.drained());
    expect(store.released).toHaveLength(2);
  });

  test('a pause is stored before the lease of its request is released', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(1);
    const storing = { isDone: false };
    store.pause = async () => {
      await clock.wait(500);
      storing.isDone = true;
    };
    const released: boolean[] = [];
    const release = store.release.bind(store);
    store.release = (...args) => {
      released.push(storing.isDone);
      return release(...args);
    };
    await clock.runUntil(
      rateLimiter.run((_signal, lease) => {
        lease.answered(0);
        lease.pause(1_000);
        return Promise.resolve();
      }),
    );
    await clock.runUntil(rateLimiter.drained());
    expect(released).toEqual([true]);
  });

  test('a pause without a duration doubles each time it is continued, but not for each answer of a burst', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(2);
    const refused = () =>
      rateLimiter.run((_signal, lease) => {
        lease.answered(0);
        lease.pause(null);
        return Promise.resolve();
      });
    for (let times = 0; times < 12; times += 1) await clock.runUntil(refused());
    const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map((seconds) => seconds * 1_000);
    expect(store.pausesMs).toEqual(doubled);
    // After some time without pauses, it starts again at the shortest one.
    await clock.advance(700_000);
    await clock.runUntil(refused());
    expect(store.pausesMs.at(-1)).toBe(1_000);
  });

  test('the result of a request is kept when its lease cannot be released', async () => {
    const errors: unknown[] = [];
    const clock = new VirtualClock();
    const store = new MemoryLeaseStore(clock, 1);
    store.release = () => Promise.reject(new Error('the store is unreachable'));
    const options = { account: 'default', store, limitPerSecond: 1, clock };
    const rateLimiter = createRateLimiter({ ...options, onStoreError: (error) => errors.push(error) });
    expect(await clock.runUntil(rateLimiter.run(() => Promise.resolve('paid')))).toBe('paid');
    await rateLimiter.drained();
    expect(errors).toEqual([new Error('the store is unreachable')]);
  });

  test('a request is not sent when the store fails, and the next one tries again', async () => {
    const clock = new VirtualClock();
    const store = new MemoryLeaseStore(clock, 1);
    const take = store.take.bind(store);
    let away = true;
    store.take = (...asked): ReturnType<LeaseStore['take']> =>
      away ? Promise.reject(new Error('the store is unreachable')) : take(...asked);
    const rateLimiter = createRateLimiter({ account: 'default', store, limitPerSecond: 1, clock });
    await expect(rateLimiter.run(() => Promise.resolve('sent'))).rejects.toBeInstanceOf(RateLimiterRefusal);
    away = false;
    expect(await clock.runUntil(rateLimiter.run(() => Promise.resolve('sent')))).toBe('sent');
  });

  test('a broken-off request may still arrive: its lease is released after that, and its cooldown starts then', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(1);
    await expect(clock.runUntil(rateLimiter.run(() => Promise.reject(new Error('reset'))))).rejects.toThrow('reset');
    await clock.advance(1_999);
    expect(store.released).toEqual([]);
    await clock.runUntil(rateLimiter.drained());
    expect(store.released).toEqual([{ number: 0, sinceAnswerMs: 0, roundTripMs: null }]);
  });

  test('an unreadable answer counts as an answer', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(1);
    const unread = rateLimiter.run((_signal, lease) => {
      lease.answered(5);
      return Promise.reject(new Error('it cannot be read'));
    });
    await expect(clock.runUntil(unread)).rejects.toThrow('it cannot be read');
    await clock.advance(1);
    expect(store.released).toEqual([{ number: 0, sinceAnswerMs: 0, roundTripMs: 5 }]);
  });

  test('when the day’s requests are used up, a request that may use the reserve is sent; any other gets a time to try again', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(1);
    store.exhaustedForMs = 7_000;
    const quote = rateLimiter.run(() => Promise.resolve('quoted'));
    const funding = rateLimiter.run(() => Promise.resolve('funded'), { mayUseReserve: true });
    await expect(clock.runUntil(quote)).rejects.toMatchObject({ name: 'RateLimiterRefusal', retryInMs: 7_000 });
    expect(await clock.runUntil(funding)).toBe('funded');
  });

  test('the cooldown of a lease starts with the answer, however long reading it takes', async () => {
    const { clock, rateLimiter, store } = aRateLimiter(1);
    const slow = rateLimiter.run(async (_signal, lease) => {
      lease.answered(5);
      await clock.wait(300);
    });
    await clock.runUntil(slow);
    await clock.runUntil(rateLimiter.drained());
    expect(store.released).toEqual([{ number: 0, sinceAnswerMs: 300, roundTripMs: 5 }]);
  });

  test('without a limit, every request is sent without a query of the store', async () => {
    const { rateLimiter, store } = aRateLimiter(0);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => rateLimiter.run(() => Promise.resolve(index))),
    );
    expect(all).toHaveLength(20);
    expect(store.queries).toBe(0);
  });
});

test('a wait never ends too early, although timers may fire early', async () => {
  let nowMs = 0;
  const sleeps: number[] = [];
  const earlyClock = {
    nowMs: () => nowMs,
    sleep: (forMs: number) => {
      sleeps.push(forMs);
      nowMs += Math.max(forMs - 0.7, 0.5);
      return Promise.resolve();
    },
  };
  await sleepUntil(earlyClock, 20, new AbortController().signal);
  expect(nowMs).toBeGreaterThanOrEqual(20);
  expect(sleeps.length).toBeGreaterThan(1);
});

test('a wait on the real clock ends at once when its signal aborts', async () => {
  const giveUp = new AbortController();
  const waiting = sleepUntil(monotonicClock, performance.now() + 3_600_000, giveUp.signal);
  giveUp.abort();
  await expect(waiting).resolves.toBeUndefined();
});
