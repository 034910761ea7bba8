import { expect, test } from 'vitest';
import { PasswordPlaces } from '../../application/users/password-hashing.ts';

/** Work that goes on until it is ended. */
function aWork() {
  let end: () => void = () => undefined;
  let isBegun = false;
  const work = () => {
    isBegun = true;
    return new Promise<void>((resolve) => (end = resolve));
  };
  return {
    work,
    end: () => {
      end();
    },
    isBegun: () => isBegun,
  };
}

const FULL = { code: 'unavailable' };

test('one address cannot take the places of others', async () => {
  const places = new PasswordPlaces({ atOnce: 2, maxWaiting: 10, maxOfOne: 1 });
  const [first, second] = [aWork(), aWork()];
  const all = [places.within('a', first.work)];
  await expect(places.within('a', second.work)).rejects.toMatchObject(FULL);
  all.push(places.within('b', second.work));
  expect([first.isBegun(), second.isBegun()]).toEqual([true, true]);
  first.end();
  second.end();
  await Promise.all(all);
  await expect(places.within('a', () => Promise.resolve('again'))).resolves.toBe('again');
});

test('only so many are worked on at once, and wait; further ones are refused and do nothing', async () => {
  const places = new PasswordPlaces({ atOnce: 1, maxWaiting: 1, maxOfOne: 10 });
  const [first, second, third] = [aWork(), aWork(), aWork()];
  const running = places.within('a', first.work);
  const waiting = places.within('b', second.work);
  await expect(places.within('c', third.work)).rejects.toMatchObject(FULL);
  expect([second.isBegun(), third.isBegun()]).toEqual([false, false]);
  first.end();
  await running;
  await expect.poll(second.isBegun).toBe(true);
  second.end();
  await waiting;
});

test('work that fails gives its place back', async () => {
  const places = new PasswordPlaces({ atOnce: 1, maxWaiting: 0, maxOfOne: 1 });
  await expect(places.within('a', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  await expect(places.within('a', () => Promise.resolve(1))).resolves.toBe(1);
});
