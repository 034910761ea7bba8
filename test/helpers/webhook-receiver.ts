import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { Webhook } from 'standardwebhooks';

/** What a receiver got, in order. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  port: number;
  readonly received: Received[];
  /** How it answers; default: 204. */
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

/** A receiver of webhooks on this machine, until the test is finished. */
export async function aReceiver(port = 0): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(pieces).toString() };
      received.push(one);
      receiver.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const taken = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${taken}/hook`,
    port: taken,
    received,
    answer: (response) => response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Verifies the signature with the reference implementation of Standard Webhooks. Throws when it is wrong. */
export function verified(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
