import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives the notifications of a sandbox. */
export interface EventReceiver {
  readonly url: string;
  /** The received bodies, oldest first. */
  readonly bodies: string[];
  /** Waits until the received bodies satisfy the condition; the test's time limit applies. */
  until(condition: (bodies: readonly string[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const bodies: string[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(text);
      response.writeHead(200).end();
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    until: async (condition) => {
      while (!condition(bodies)) await new Promise<void>((wake) => waiting.push(wake));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
