import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../telemetry/metrics.ts';
import { listenForScrapes } from '../../telemetry/metrics-listener.ts';

async function aListener(token: string | null): Promise<string> {
  const metrics = createMetrics('worker', { version: '1', build: 'a' });
  const listener = await listenForScrapes(metrics, { host: '127.0.0.1', port: 0, token });
  onTestFinished(() => listener.close());
  return listener.url;
}

test('a worker shows its metrics at /metrics in the format of Prometheus', async () => {
  const response = await fetch(await aListener(null));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toContain('payrun_build_info');
});

test('with a token, they are shown to whoever has it and to nobody else', async () => {
  const url = await aListener('a-token-of-16-characters');
  const statusWith = async (headers: Record<string, string>): Promise<number> => (await fetch(url, { headers })).status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: 'Bearer another-token-of-16' })).toBe(401);
  expect(await statusWith({ authorization: 'Basic a-token-of-16-characters' })).toBe(401);
  expect(await statusWith({ authorization: 'Bearer a-token-of-16-characters' })).toBe(200);
});

test('nothing else is there, and nothing is written', async () => {
  const url = await aListener(null);
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
});

test('a port that is taken is named with what to do', async () => {
  const port = Number(new URL(await aListener(null)).port);
  const metrics = createMetrics('worker', { version: '1', build: 'a' });
  await expect(listenForScrapes(metrics, { host: '127.0.0.1', port, token: null })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port} for metrics: choose another PAYRUN_METRICS_PORT`,
  );
});
