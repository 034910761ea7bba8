import type { LookupAddress } from 'node:dns';
import { createServer as createTcpServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type PostSettings, postWebhook } from '../../activities/notifications/post-webhook.ts';
import { aReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
const PUBLIC = { address: '192.0.2.1', family: 4 };

const post = (url: string, settings: Partial<PostSettings> = {}) =>
  postWebhook(
    { url, headers: { 'webhook-id': 'an-id' }, body: '{"name":"ü"}' },
    { timeoutMs: 2_000, privateHosts: ['127.0.0.1'], ...settings },
  );

/** Resolves any name to each of these in turn, the last one from then on; counts how often. */
function resolver(...turns: LookupAddress[][]): {
  resolve: (name: string) => Promise<LookupAddress[]>;
  names: string[];
} {
  const names: string[] = [];
  return {
    names,
    resolve: (name) => {
      names.push(name);
      return Promise.resolve(turns[Math.min(names.length, turns.length) - 1] ?? []);
    },
  };
}

describe('a webhook', () => {
  test('is posted as JSON, byte for byte', async () => {
    const receiver = await aReceiver();
    expect(await post(receiver.url)).toEqual({ httpStatus: 204, error: null });
    expect(receiver.received).toMatchObject([
      {
        headers: { 'content-type': 'application/json', 'webhook-id': 'an-id', 'content-length': '13' },
        body: '{"name":"ü"}',
      },
    ]);
  });

  test.each([
    [200, null],
    [299, null],
    [400, 'http_status'],
    [410, 'http_status'],
    [500, 'http_status'],
  ] as const)('that is answered %i is %s', async (status, error) => {
    const receiver = await aReceiver();
    receiver.answer = (response) => response.writeHead(status).end('whatever');
    expect(await post(receiver.url)).toEqual({ httpStatus: status, error });
  });

  test('that is redirected is not sent on', async () => {
    const [receiver, elsewhere] = [await aReceiver(), await aReceiver()];
    receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end();
    expect(await post(receiver.url)).toEqual({ httpStatus: 307, error: 'redirected' });
    expect(elsewhere.received).toEqual([]);
  });

  test('whose receiver hangs is given up', async () => {
    const receiver = await aReceiver();
    receiver.answer = () => undefined;
    expect(await post(receiver.url, { timeoutMs: 100 })).toEqual({ httpStatus: null, error: 'timeout' });
  });

  test('whose receiver takes the connection and says nothing is given up', async () => {
    const silent = await silentServer();
    expect(await post(silent, { timeoutMs: 100 })).toEqual({ httpStatus: null, error: 'timeout' });
  });

  test('whose answer never ends is judged by its status', async () => {
    const receiver = await aReceiver();
    receiver.answer = (response) => {
      response.writeHead(200).flushHeaders();
    };
    expect(await post(receiver.url, { timeoutMs: 200 })).toEqual({ httpStatus: 200, error: null });
  });

  test('whose answer is endless is read to a few kilobytes', async () => {
    const receiver = await aReceiver();
    let written = 0;
    receiver.answer = (response) => {
      const more = (): void => {
        if (response.destroyed) return;
        written += 1;
        // On a closed connection newer versions of Node call back at once: the loop must let the close event in.
        response.write('x'.repeat(65_536), () => setImmediate(more));
      };
      more();
    };
    expect(await post(receiver.url)).toEqual({ httpStatus: 200, error: null });
    expect(written).toBeLessThan(500);
  });

  test('that nobody listens for is unreachable', async () => {
    const receiver = await aReceiver();
    await receiver.close();
    expect(await post(receiver.url)).toEqual({ httpStatus: null, error: 'unreachable' });
  });
});

describe('the internal network', () => {
  /** A receiver that would take it, under a name. */
  async function named(): Promise<{ receiver: WebhookReceiver; url: string }> {
    const receiver = await aReceiver();
    return { receiver, url: `https://internal.example.com:${receiver.port}/` };
  }

  test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1', '2130706433'])(
    'is not reached at https://%s',
    async (host) => {
      const receiver = await aReceiver();
      const result = await post(`https://${host}:${receiver.port}/`, { privateHosts: [] });
      expect(result).toEqual({ httpStatus: null, error: 'private_address' });
      expect(receiver.received).toEqual([]);
    },
  );

  test('is not reached by a name that resolves to it, also beside a public address', async () => {
    const { url } = await named();
    for (const found of [[LOOPBACK], [PUBLIC, LOOPBACK], [{ address: '::ffff:127.0.0.1', family: 6 }]]) {
      const { resolve } = resolver(found);
      expect(await post(url, { resolve })).toEqual({ httpStatus: null, error: 'private_address' });
    }
  });

  test('is not reached by a name that resolves to it after it was checked', async () => {
    const { receiver, url } = await named();
    const { resolve, names } = resolver([PUBLIC], [LOOPBACK]);
    const { httpStatus } = await post(url, { resolve, timeoutMs: 300 });
    expect(httpStatus).toBeNull();
    // The connection was made to what was checked: the name was resolved once.
    expect(names).toEqual(['internal.example.com']);
    expect(receiver.received).toEqual([]);
  });

  test('is reached where the operator names the host, also by http', async () => {
    const receiver = await aReceiver();
    expect(await post(`http://localhost:${receiver.port}/`, { privateHosts: ['localhost'] })).toMatchObject({
      error: null,
    });
  });

  test('is not reached by http at any other host', async () => {
    const { resolve, names } = resolver([PUBLIC]);
    expect(await post('http://hooks.example.com/', { resolve })).toEqual({
      httpStatus: null,
      error: 'http_not_allowed',
    });
    expect(names).toEqual([]);
  });
});

/** Takes connections and never answers. */
async function silentServer(): Promise<string> {
  const server: Server = createTcpServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`;
}
