import { expect, test } from 'vitest';
import { isAlive, servicePids, startDemo, untilShown } from './demo-process.ts';

test('a demo of payments leaves no process behind when it is interrupted', async () => {
  const demo = startDemo();
  await untilShown(demo, 'running:');
  const pids = servicePids(demo);
  demo.child.kill('SIGINT');
  const { code } = await demo.ended;
  expect(code).toBe(130);
  expect(pids.filter(isAlive)).toEqual([]);
});
