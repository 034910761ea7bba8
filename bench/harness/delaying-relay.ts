import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../sandbox/core/seeded-random.ts';
import type { Relay } from './tcp-relay.ts';

/** Enough that no request waits for the connection of another one, which it would not do without the relay. */
const MAX_CONNECTIONS = 100;

/**
 * Forwards HTTP requests to a port on loopback and delays each request and each answer. The round trip is random
 * between `minMs` and `maxMs`, and randomly divided between the two directions.
 */
export async function startDelayingRelay(options: {
  targetPort: number;
  minMs: number;
  maxMs: number;
  seed: string;
}): Promise<Relay> {
  const random = new SeededRandom(options.seed);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  const forward = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const startedMs = performance.now();
    const roundTripMs = options.minMs + random.fraction() * (options.maxMs - options.minMs);
    const outwardMs = roundTripMs * random.fraction();
    const body = await bytesOf(incoming);
    await sleep(outwardMs);
    const { reply, bytes } = await exchange(incoming, body);
    // The time that forwarding itself took is part of the round trip.
    await sleep(Math.max(0, roundTripMs - (performance.now() - startedMs)));
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
    // When forwarding fails, the connection breaks, as on a network that lost the request.
    forward(incoming, answer).catch(() => answer.destroy());
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
