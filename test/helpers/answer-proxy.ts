import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnswerProxy {
  url: string;
  close(): void;
}

/** A proxy in front of the sandbox. `change` gets the body of each answer as text, and returns what is shown instead. */
export async function startAnswerProxy(sandboxUrl: string, change: (body: string) => string): Promise<AnswerProxy> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      void (async () => {
        const { method = 'GET', url = '/', headers } = request;
        const body = pieces.length === 0 ? {} : { body: Buffer.concat(pieces) };
        const kept = Object.entries(headers).filter(
          ([name]) => !['connection', 'host', 'content-length'].includes(name),
        );
        const answer = await fetch(sandboxUrl + url, { method, headers: kept as [string, string][], ...body });
        const bytes = Buffer.from(await answer.arrayBuffer());
        const text = bytes.toString();
        const changed = change(text);
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
        // Files are not text: what is not changed stays as it is.
        response.end(changed === text ? bytes : changed);
      })().catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
