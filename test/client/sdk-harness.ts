import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createPayrunClient } from '../../client/sdk/index.ts';
import type { Role } from '../../domain/users/role.ts';
import { aRun } from '../server/application-records.ts';
import { TOKENS } from '../server/fake-application.ts';
import { aServer } from '../server/server-harness.ts';

/** A client with a token of the role, and the fake application behind its server. */
export async function aClient(role: Role = 'administrator') {
  const { application, server } = await aServer({ feed: { pollMs: 2 } });
  application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
  return { application, client: createPayrunClient({ url: server.url, token: TOKENS[role] }) };
}

/** A server that answers as the test says; its address. */
export async function anOddServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}
