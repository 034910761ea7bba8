import { expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../sandbox/endpoints/operations.ts';
import { makeSamples, type SampleAnswer } from '../fuzz/sample-resources.ts';
import { aSandbox, type Caller, type Loose } from './a-sandbox.ts';

type Schema = Parameters<typeof z.fromJSONSchema>[0];

interface Described {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

type Description = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const described = async (caller: Caller): Promise<Description> =>
  (await caller.get('/__sandbox/openapi.json')).body['paths'] as unknown as Description;

/** The operation of a request, by method and path. */
function operationOf(paths: Description, method: string, path: string): Described {
  const asked = path.split('?')[0]!.split('/');
  const found = Object.entries(paths).find(([form, methods]) => {
    const parts = form.split('/');
    const fits = parts.every((part, place) => part.startsWith('{') || part === asked[place]);
    return fits && parts.length === asked.length && method.toLowerCase() in methods;
  });
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found[1][method.toLowerCase()]!;
}

/** The schema without additional fields, unless it says that they are allowed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** How an answer differs from the description; undefined when it does not. */
function problemOf(paths: Description, method: string, path: string, answer: SampleAnswer): string | undefined {
  const response = operationOf(paths, method, path).responses[answer.status];
  if (!response) return `${method} ${path}: ${answer.status} is not described`;
  const schema = response.content?.['application/json']?.schema;
  const result = z.fromJSONSchema(closed(schema) as Schema).safeParse(answer.body);
  return result.success ? undefined : `${method} ${path}: ${z.prettifyError(result.error)}`;
}

test('every operation answers exactly the described fields', async () => {
  const caller = await (await aSandbox()).signIn();
  const paths = await described(caller);
  const answered = new Set<string | undefined>();
  const problems: unknown[] = [];
  const send = async (method: string, path: string, body?: unknown): Promise<SampleAnswer> => {
    const answer = await caller.send(method, path, body);
    answered.add(operationOf(paths, method, path).operationId);
    problems.push(problemOf(paths, method, path, answer));
    return answer;
  };
  await makeSamples(send);
  await send('POST', '/users/v1/authenticate', { accessKeyId: 'sandbox-access-key-id', secretAccessKey: 'guess' });
  for (const [method, path, body] of [
    ['GET', '/v2/users/nobody'],
    ['POST', '/v2/signup', {}],
    ['POST', '/simple-payments/v1/fund', { simplePaymentId: 'none' }],
  ] as const) {
    await send(method, path, body);
  }
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  const silent = operations.map(({ ids }) => ids.join('_or_')).filter((id) => !answered.has(id));
  expect(silent.sort()).toEqual(['auth-logout', 'user-screen']);
});

test('the description says which operations need a token', async () => {
  const caller = await aSandbox();
  const paths = await described(caller);
  expect(operationOf(paths, 'POST', '/v2/signup').security).toEqual([{ apiKey: [] }]);
  expect(operationOf(paths, 'GET', '/balances/v1/find').security).toEqual([{ apiKey: [], token: [] }]);
  expect(operationOf(paths, 'PUT', '/storage/x').security).toEqual([]);
});

test('an optional body is described as optional, and can be omitted', async () => {
  const caller = await (await aSandbox()).signIn();
  const paths = await described(caller);
  expect(operationOf(paths, 'POST', '/balances/v1/history').requestBody?.required).toBe(false);
  expect(operationOf(paths, 'POST', '/simple-payments/v1/fund').requestBody?.required).toBe(true);
  expect((await caller.send('POST', '/balances/v1/history')).status).toBe(200);
  const written = await caller.send('POST', '/balances/v1/history', 'null');
  expect([written.status, written.body['message']]).toEqual([400, 'body: must not be null']);
});

test('switches that change a request change its description', async () => {
  const typesOf = async (caller: Caller): Promise<Loose> => {
    const { body } = await caller.get('/__sandbox/openapi.json');
    const content = body['paths']!['/v2/users/{userId}/documents']!['post']!['requestBody']!['content']!;
    return content['application/json']!['schema']!['properties']!['documentType']!['enum']!;
  };
  expect(await typesOf(await aSandbox())).toContain('fdw');
  expect(await typesOf(await aSandbox({ documentsVariant: 'earlier' }))).not.toContain('fdw');
});

test('links lead from one operation to another that exists', () => {
  const ids = new Set(operations.map((operation) => operation.ids.join('_or_')));
  const targets = operations.flatMap(({ links }) => Object.values(links ?? {}).map(({ operationId }) => operationId));
  expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  expect(targets.length).toBeGreaterThan(20);
});
