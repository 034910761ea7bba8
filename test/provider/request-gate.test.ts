import { describe, expect, test } from 'vitest';
import { monotonicClock, sleepUntil } from '../../provider/gate/gate-clock.ts';
import { GateRefusal, type SlotStore } from '../../provider/gate/request-gate.ts';
import { createRequestGate, type GateOptions } from '../../provider/gate/shared-gate.ts';
import { MemorySlotStore } from './memory-slot-store.ts';
import { settled, VirtualClock } from './virtual-clock.ts';

function aGate(limitPerSecond: number, more: Partial<GateOptions> = {}) {
  const clock = new VirtualClock();
  const store = new MemorySlotStore(clock, limitPerSecond);
  const options = { account: 'default', store, limitPerSecond, clock, ...more };
  return { clock, store, gate: createRequestGate(options) };
}

describe('request gate', () => {
  test('requests are sent in the order of their arrival', async () => {
    const { clock, gate, store } = aGate(2);
    const sent: number[] = [];
    const work = Array.from({ length: 7 }, (_, index) =>
      gate.run(async () => {
        sent.push(index);
        await clock.wait(30);
      }),
    );
    await clock.runUntil(Promise.all(work));
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(store.maxConcurrentQueries).toBe(1);
  });

  test('a waiting request that is given up leaves the queue, and the next one gets its slot', async () => {
    const { clock, gate } = aGate(1);
    const sent: string[] = [];
    const giveUp = new AbortController();
    const first = gate.run(async () => {
      sent.push('first');
      await clock.wait(30);
    });
    const second = gate.run(() => Promise.resolve(sent.push('second')), { signal: giveUp.signal });
    const third = gate.run(() => Promise.resolve(sent.push('third')));
    await settled();
    giveUp.abort();
    await expect(second).rejects.toBeInstanceOf(GateRefusal);
    await clock.runUntil(Promise.all([first, third]));
    expect(sent).toEqual(['first', 'third']);
  });

  test('a request that is given up during the cooldown of its slot is not sent, and the slot is released', async () => {
    const { clock, gate, store } = aGate(1);
    await clock.runUntil(gate.run(() => clock.wait(10)));
    await clock.advance(5);
    const giveUp = new AbortController();
    const waiting = gate.run(() => Promise.reject(new Error('it was sent')), { signal: giveUp.signal });
    await clock.advance(100);
    giveUp.abort();
    await expect(clock.runUntil(waiting)).rejects.toThrow('given up before it was sent');
    await clock.runUntil(gate.drained());
    expect(store.released.at(-1)).toEqual({ slot: 0, sinceAnswerMs: 0 });
  });

  test('a process whose registration has expired releases its slot and takes another one', async () => {
    const { clock, gate, store } = aGate(2);
    store.holds = false;
    const work = gate.run(() => Promise.resolve(clock.nowMs()));
    await clock.advance(100);
    expect(store.released).toEqual([{ slot: 0, sinceAnswerMs: 0 }]);
    store.holds = true;
    expect(await clock.runUntil(work)).toBeGreaterThan(100);
  });

  test('a pause also holds back requests that already have a slot', async () => {
    const { clock, gate, store } = aGate(2);
    const sentMs: number[] = [];
    await clock.runUntil(gate.run(() => clock.wait(10)));
    await clock.advance(10);
    const asking = gate.run(async (_signal, slot) => {
      await clock.wait(5);
      slot.answered(5);
      slot.pause(7_000);
    });
    const waiting = gate.run(() => Promise.resolve(sentMs.push(clock.nowMs())));
    const pausedAtMs = await clock.runUntil(asking.then(() => clock.nowMs()));
    await clock.runUntil(waiting);
    expect(store.pausesMs).toEqual([7_000]);
    expect(sentMs[0]).toBeGreaterThanOrEqual(pausedAtMs + 7_000);
  });

  test.each([
    ['its slot has expired', (store: MemorySlotStore) => void (store.holds = false)],
    ['a pause has begun', () => undefined],
  ])('a request whose beforeSend took long is not sent if %s', async (what, happens) => {
    const { clock, gate, store } = aGate(2);
    const asking = gate.run(async (_signal, slot) => {
      await clock.wait(50);
      if (what.startsWith('a pause')) slot.pause(7_000);
    });
    const late = gate.run(async (_signal, slot) => {
      await clock.wait(100);
      happens(store);
      slot.recheck();
      return 'sent';
    });
    const [, outcome] = await clock.runUntil(Promise.allSettled([asking, late]));
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'GateRefusal' } });
    await clock.runUntil(gate.drained());
    expect(store.released).toHaveLength(2);
  });

  test('a pause is stored before the slot of its request is released', async () => {
    const { clock, gate, store } = aGate(1);
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
      gate.run((_signal, slot) => {
        slot.answered(0);
        slot.pause(1_000);
        return Promise.resolve();
      }),
    );
    await clock.runUntil(gate.drained());
    expect(released).toEqual([true]);
  });

  test('a pause without a duration doubles each time it is continued, but not for each answer of a burst', async () => {
    const { clock, gate, store } = aGate(2);
    const refused = () =>
      gate.run((_signal, slot) => {
        slot.answered(0);
        slot.pause(null);
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

  test('the result of a request is kept when its slot cannot be released', async () => {
    const errors: unknown[] = [];
    const clock = new VirtualClock();
    const store = new MemorySlotStore(clock, 1);
    store.release = () => Promise.reject(new Error('the store is unreachable'));
    const options = { account: 'default', store, limitPerSecond: 1, clock };
    const gate = createRequestGate({ ...options, onStoreError: (error) => errors.push(error) });
    expect(await clock.runUntil(gate.run(() => Promise.resolve('paid')))).toBe('paid');
    await gate.drained();
    expect(errors).toEqual([new Error('the store is unreachable')]);
  });

  test('a request is not sent when the store fails, and the next one tries again', async () => {
    const clock = new VirtualClock();
    const store = new MemorySlotStore(clock, 1);
    const take = store.take.bind(store);
    let away = true;
    store.take = (...asked): ReturnType<SlotStore['take']> =>
      away ? Promise.reject(new Error('the store is unreachable')) : take(...asked);
    const gate = createRequestGate({ account: 'default', store, limitPerSecond: 1, clock });
    await expect(gate.run(() => Promise.resolve('sent'))).rejects.toBeInstanceOf(GateRefusal);
    away = false;
    expect(await clock.runUntil(gate.run(() => Promise.resolve('sent')))).toBe('sent');
  });

  test('a broken-off request may still arrive: its slot is released after that, and its cooldown starts then', async () => {
    const { clock, gate, store } = aGate(1);
    await expect(clock.runUntil(gate.run(() => Promise.reject(new Error('reset'))))).rejects.toThrow('reset');
    await clock.advance(1_999);
    expect(store.released).toEqual([]);
    await clock.runUntil(gate.drained());
    expect(store.released).toEqual([{ slot: 0, sinceAnswerMs: 0 }]);
  });

  test('an unreadable answer counts as an answer', async () => {
    const { clock, gate, store } = aGate(1);
    const unread = gate.run((_signal, slot) => {
      slot.answered(5);
      return Promise.reject(new Error('it cannot be read'));
    });
    await expect(clock.runUntil(unread)).rejects.toThrow('it cannot be read');
    await clock.advance(1);
    expect(store.released).toEqual([{ slot: 0, sinceAnswerMs: 0 }]);
  });

  test('when the day’s requests are used up, a request that may use the reserve is sent; any other gets a time to try again', async () => {
    const { clock, gate, store } = aGate(1);
    store.exhaustedForMs = 7_000;
    const quote = gate.run(() => Promise.resolve('quoted'));
    const funding = gate.run(() => Promise.resolve('funded'), { mayUseReserve: true });
    await expect(clock.runUntil(quote)).rejects.toMatchObject({ name: 'GateRefusal', retryInMs: 7_000 });
    expect(await clock.runUntil(funding)).toBe('funded');
  });

  test('the cooldown of a slot starts with the answer, however long reading it takes', async () => {
    const { clock, gate, store } = aGate(1);
    const slow = gate.run(async (_signal, slot) => {
      slot.answered(5);
      await clock.wait(300);
    });
    await clock.runUntil(slow);
    await clock.runUntil(gate.drained());
    expect(store.released).toEqual([{ slot: 0, sinceAnswerMs: 300 }]);
  });

  test('without a limit, every request is sent without a query of the store', async () => {
    const { gate, store } = aGate(0);
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => gate.run(() => Promise.resolve(index))));
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
