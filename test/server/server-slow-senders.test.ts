import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SignInDelay } from '../../server/users/sign-in-delay.ts';
import { TOKENS } from './fake-application.ts';
import { aServer } from './server-harness.ts';

/** Who sends headers or a body slowly, or goes on sending after the answer, holds neither a connection nor a place for long. */

const NEVER_MS = 600_000;
/** Wrong tokens are answered at once. */
const signInDelay = new SignInDelay(Date.now, () => Promise.resolve());
const MAKER = `authorization: Bearer ${TOKENS.maker}`;

/** The beginning of a request whose body is far from complete. */
function begun(route: string, ...headers: string[]): string {
  return [`${route} HTTP/1.1`, 'host: localhost', ...headers, 'content-length: 100000', '', '{'].join('\r\n');
}

const JSON_BODY = 'content-type: application/json';
const upload = (route: string): string =>
  begun(route, MAKER, 'content-type: multipart/form-data; boundary=x').replace(/\{$/, '--x\r\n');

interface Sender {
  /** What the server answered until it closed the connection. */
  closed: Promise<string>;
  isClosed: () => boolean;
}

/** Goes on with a byte now and then, unless it `stops`. */
function send(url: string, beginning: string, { stops = false } = {}): Sender {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (piece) => (answer += piece.toString()));
  socket.write(beginning);
  const drip = setInterval(() => stops || socket.write('x'), 20);
  const end = (): void => {
    clearInterval(drip);
    socket.destroy();
  };
  onTestFinished(end);
  socket.once('end', end);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      resolve(answer);
    });
  });
  return { closed, isClosed: () => socket.destroyed };
}

describe('a sender that gives a byte now and then', () => {
  const parts = {
    'of the headers': 'GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ',
    'of a body': begun('POST /api/v1/runs', MAKER, JSON_BODY),
  };

  it.each(Object.entries(parts))('%s is cut off, and keeps nobody waiting', async (_part, beginning) => {
    const limits = { headersTimeoutMs: 300, requestTimeoutMs: 600, checkedEveryMs: 50 };
    const { server } = await aServer({ arrival: limits });
    const senders = Array.from({ length: 30 }, () => send(server.url, beginning));
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await Promise.all(senders.map(({ closed }) => closed));
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });
});

describe('a body that is no upload', () => {
  const bodies = {
    'of somebody who signs in': [begun('POST /api/v1/session', JSON_BODY), 408],
    'of a user': [begun('POST /api/v1/stops', MAKER, JSON_BODY), 408],
    'of an invitation': [begun('POST /api/v1/invitations/accept', JSON_BODY), 408],
    'of a request for no address': [begun('POST /api/v1/nothing', JSON_BODY), 408],
  } as const;

  it.each(Object.entries(bodies))(
    '%s has seconds to arrive, and not those of a whole request',
    async (_whose, [head, status]) => {
      const { server, logged } = await aServer({ arrival: { bodyTimeoutMs: 100, requestTimeoutMs: NEVER_MS } });
      expect(await send(server.url, head).closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(logged()).not.toContain('failed unexpectedly');
    },
  );

  const answered = {
    'without a token': [begun('POST /api/v1/stops', JSON_BODY), 401],
    'with a wrong token': [begun('POST /api/v1/stops', 'authorization: Bearer nobody', JSON_BODY), 401],
    'of a role that may not': [begun('POST /api/v1/users', MAKER, JSON_BODY), 403],
    'of a webhook of no account': [begun('POST /webhooks/nobody', JSON_BODY), 404],
    'of a read': [begun('GET /health'), 200],
  } as const;

  it.each(Object.entries(answered))('that goes on after its answer, %s, is closed', async (_what, [head, status]) => {
    const { server } = await aServer({ arrival: { bodyTimeoutMs: 500, requestTimeoutMs: NEVER_MS }, signInDelay });
    expect(await send(server.url, head).closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe('an upload', () => {
  it.each(['POST /api/v1/runs', 'POST /api/v1/drafts', 'PATCH /api/v1/drafts/018f2a00-0000-7000-8000-000000000001'])(
    'of %s that hardly moves is cut off, and its place is free again',
    async (route) => {
      const { server } = await aServer({
        arrival: { uploadIdleMs: 100, bodyTimeoutMs: NEVER_MS, requestTimeoutMs: NEVER_MS },
        submissions: { maxConcurrent: 1 },
      });
      const head = route.startsWith('PATCH') ? begun(route, MAKER, JSON_BODY) : upload(route);
      expect(await send(server.url, head).closed).toMatch(/^HTTP\/1\.1 408 /);
      expect(await submitted(server.url)).toBe(201);
    },
  );

  it('that moves has the time of a whole request', async () => {
    const arrival = { bodyTimeoutMs: 50, uploadIdleMs: 1_000, uploadMinBytes: 2, requestTimeoutMs: NEVER_MS };
    const { server } = await aServer({ arrival, submissions: { maxConcurrentPerUser: 3 } });
    const moving = send(server.url, upload('POST /api/v1/runs'));
    // Both are counted from their own beginnings, so the first was looked at before this one is cut off.
    await send(server.url, upload('POST /api/v1/runs'), { stops: true }).closed;
    expect(moving.isClosed()).toBe(false);
  });

  it('of somebody who may not is not read for as long', async () => {
    const arrival = { uploadIdleMs: 500, uploadMinBytes: 1, requestTimeoutMs: NEVER_MS };
    const { server } = await aServer({ arrival, signInDelay });
    const head = upload('POST /api/v1/runs').replace(MAKER, 'authorization: Bearer nobody');
    expect(await send(server.url, head).closed).toMatch(/^HTTP\/1\.1 401 /);
  });
});

it('more connections than the server can hold are closed at once, and it answers again when others end', async () => {
  const { server } = await aServer({ arrival: { maxConnections: 2 } });
  const idle = [1, 2].map(() => connect(Number(new URL(server.url).port), '127.0.0.1'));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect(await send(server.url, 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n').closed).toBe('');
  for (const socket of idle) socket.destroy();
  await expect
    .poll(() =>
      fetch(`${server.url}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

async function submitted(url: string): Promise<number> {
  const form = new FormData();
  form.set('file', new Blob(['row_ref\nA\n']), 'payroll.csv');
  const headers = { authorization: `Bearer ${TOKENS.maker}` };
  return (await fetch(`${url}/api/v1/runs`, { method: 'POST', headers, body: form })).status;
}
