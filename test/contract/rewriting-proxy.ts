import { Agent, createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse, stringify } from 'lossless-json';
import type { AnswerFormat } from './answer-formats.ts';

/** A proxy between a client and a sandbox that rewrites the sandbox's answers. */
export interface RewritingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRewritingProxy(target: string, form: AnswerFormat): Promise<RewritingProxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const onward = forward(new URL(url, target), { method, headers, agent }, (answer) => {
      textOf(answer).then(
        (text) => pass(answer, text, form, outgoing),
        () => outgoing.destroy(),
      );
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function pass(answer: IncomingMessage, text: string, form: AnswerFormat, outgoing: ServerResponse): void {
  const { statusCode: status = 502, headers } = answer;
  const written = rewritten(status, headers['content-type'] ?? '', text, form);
  const retryAfter = headers['retry-after'];
  outgoing.writeHead(status, {
    'content-type': written.contentType,
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  });
  outgoing.end(written.text);
}

function rewritten(
  status: number,
  contentType: string,
  text: string,
  { answer, error }: AnswerFormat,
): { contentType: string; text: string } {
  const asItIs = { contentType, text };
  if (!contentType.startsWith('application/json')) return asItIs;
  if (status < 300) return answer ? { contentType, text: stringify(answer(parse(text))) ?? '' } : asItIs;
  const { code, message } = parse(text) as { code: string; message: string };
  return error ? { contentType: error.contentType, text: error.write(code, message) } : asItIs;
}
