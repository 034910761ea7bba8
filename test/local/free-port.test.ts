import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, waitForPort, rememberedPort } from '../../local/embedded/free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function takePort(port: number): Promise<() => void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
  };
  onTestFinished(close);
  return close;
}

test('a taken port and an excluded one are avoided', async () => {
  const [taken, excepted, free] = [await freePort(), await freePort(), await freePort()];
  await takePort(taken);
  const candidates = [taken, excepted, free];
  const chosen = await freePort({ except: [excepted], pick: () => candidates.shift() ?? free });
  expect(chosen).toBe(free);
});

test('if every candidate port is taken, the error says so', async () => {
  const taken = await freePort();
  await takePort(taken);
  await expect(freePort({ pick: () => taken })).rejects.toThrow('no free port');
});

test('a home keeps its port between starts while it is free, else it keeps a new one', async () => {
  const file = join(temporaryFolder(), 'port');
  const first = await rememberedPort(file);
  expect(await rememberedPort(file)).toBe(first);
  const release = await takePort(first);
  const second = await rememberedPort(file);
  expect(second).not.toBe(first);
  release();
  expect(await rememberedPort(file)).toBe(second);
});

test('waiting for a port ends when it is free, or after the timeout', async () => {
  const port = await freePort();
  const release = await takePort(port);
  expect(await waitForPort(port, '127.0.0.1', 0)).toBe(false);
  const waiting = waitForPort(port, '127.0.0.1', 10_000);
  release();
  expect(await waiting).toBe(true);
});
