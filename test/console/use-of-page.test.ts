import { expect, test } from 'vitest';
import { UseOfPage } from '../../console/calls/use-of-page.ts';

test('a page is used when it is opened, and for a while after each key or pointer', () => {
  let now = 0;
  const page = new EventTarget();
  const use = new UseOfPage(() => now);
  use.watch(page);
  expect(use.isUsed()).toBe(true);
  now = 10 * 60_000;
  expect(use.isUsed()).toBe(false);
  page.dispatchEvent(new Event('pointermove'));
  expect(use.isUsed()).toBe(false);
  page.dispatchEvent(new Event('keydown'));
  expect(use.isUsed()).toBe(true);
  now += 2 * 60_000;
  expect(use.isUsed()).toBe(false);
});
