import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../../sandbox/core/seeded-random.ts';
import type { Relay } from './tcp-relay.ts';

/** Two requests on one connection would wait for each other where the real way does not make them. */
const MOST_CONNECTIONS = 100;

/**
 * Passes HTTP requests on to a port of loopback, each after a delay, and each answer after another: the round trip is
 * drawn from `leastMs` to `mostMs`, and split between the two ways at random.
 */
export async function startDelayingRelay(options: {
  targetPort: number;
  leastMs: number;
  mostMs: number;
  seed: string;
}): Promise<Relay> {
  const chance = new Chance(options.seed);
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });

  const passOn = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const beganMs = performance.now();
    const roundTripMs = options.leastMs + chance.fraction() * (options.mostMs - options.leastMs);
    const outwardMs = roundTripMs * chance.fraction();
    const body = await bytesOf(incoming);
    await sleep(outwardMs);
    const { reply, bytes } = await exchange(incoming, body);
    // What passing on took by itself is part of the round trip that was drawn.
    await sleep(Math.max(0, roundTripMs - (performance.now() - beganMs)));
    answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders).end(bytes);
  };

  const exchange = async (incoming: IncomingMessage, body: Buffer) =>
    new Promise<{ reply: IncomingMessage; bytes: Buffer }>((resolve, reject) => {
      const { method, url: path, headers } = incoming;
      const target = { agent, host: '127.0.0.1', port: options.targetPort, method, path, headers };
      const call = request(target, (reply) => {
        bytesOf(reply).then((bytes) => resolve({ reply, bytes }), reject);
      });
      call.on('error', reject);
      call.end(body);
    });

  const server = createServer((incoming, answer) => {
    // What cannot be passed on breaks off, as on a network that lost it.
    passOn(incoming, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
