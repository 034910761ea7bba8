import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bytes, json, nothing } from '../../api/answers.ts';
import { requestOf } from '../../api/endpoint-call.ts';
import { type Endpoint, endpoints } from '../../api/endpoint.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import type { Api } from '../../server/api.ts';
import { buildApp } from '../../server/app.ts';
import { serve } from '../../server/serve.ts';
import { FakeApplication } from './fake-application.ts';

const EACH = Object.entries<Endpoint>(ENDPOINTS);

/** The names of what is given in a query or body, whichever of several forms it has. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const { properties = {}, anyOf = [], oneOf = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const forms = [{ properties }, ...anyOf, ...oneOf] as { properties?: object }[];
  return forms.flatMap((form) => Object.keys(form.properties ?? {}));
}

describe('each endpoint', () => {
  it.each(EACH)('%s describes the parameters of its path, and no others', (_id, { path, params }) => {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(named.sort());
  });

  it.each(EACH)('%s takes one of query, body and form, without a name of its parameters', (_id, endpoint) => {
    const { params, query, body, form } = endpoint;
    expect([query, body, form].filter((part) => part !== undefined).length).toBeLessThanOrEqual(1);
    const names = [...fieldsOf(query), ...fieldsOf(body)];
    expect(names.filter((name) => Object.hasOwn(params?.shape ?? {}, name))).toEqual([]);
  });
});

const things = endpoints({
  addThing: {
    method: 'POST',
    path: '/shelves/:shelf/things',
    access: 'anyone',
    tag: 'things',
    summary: 'Add a thing',
    params: z.object({ shelf: z.string() }),
    body: z.object({ name: z.string() }),
    answers: { 201: json('The thing.', z.object({ place: z.string() })) },
    errors: [400],
  },
  listThings: {
    method: 'GET',
    path: '/things',
    access: 'anyone',
    tag: 'things',
    summary: 'Things',
    query: z.object({
      of: z.string().transform((text) => text.split(',')),
      limit: z.coerce.number<number>().default(5),
    }),
    answers: { 200: json('Things.', z.object({ of: z.array(z.string()), limit: z.int() })) },
  },
  getPicture: {
    method: 'GET',
    path: '/pictures/:name',
    access: 'anyone',
    tag: 'things',
    summary: 'A picture',
    params: z.object({ name: z.string() }),
    answers: { 200: bytes('The picture.', ['image/png']) },
  },
  removeThings: {
    method: 'DELETE',
    path: '/things',
    access: 'anyone',
    tag: 'things',
    summary: 'Remove all things',
    answers: { 204: nothing('Removed.') },
  },
});

describe('a request', () => {
  it('has each part where its endpoint takes it, and parameters cannot reach another address', () => {
    expect(requestOf(things.addThing, { shelf: '../a b', name: 'x' })).toEqual({
      ...{ method: 'POST', path: '/shelves/..%2Fa%20b/things', body: { name: 'x' } },
    });
    expect(requestOf(things.listThings, { of: ['a', 'b'], limit: 3, after: null })).toEqual({
      ...{ method: 'GET', path: '/things', query: { of: 'a,b', limit: '3', after: null } },
    });
    expect(requestOf(things.removeThings, {})).toEqual({ method: 'DELETE', path: '/things' });
  });

  it('is answered by the handler of its endpoint, with the status of a success', async () => {
    const removed: string[] = [];
    const app = buildApp({
      ...{ application: new FakeApplication(), webhookAccounts: [], log: false, version: '1', temporalUiUrl: null },
    });
    void app.register((api: Api, _options, done) => {
      serve(api, things, {
        addThing: ({ params: { shelf }, body: { name } }) => ({ place: `${shelf}/${name}` }),
        listThings: ({ query }) => query,
        getPicture: ({ reply }) => reply.type('image/png').send(Readable.from([Buffer.from([1, 2])])),
        removeThings: async () => {
          removed.push(await Promise.resolve('all'));
        },
      });
      done();
    });
    const added = await app.inject({ method: 'POST', url: '/shelves/a/things', payload: { name: 'b' } });
    expect([added.statusCode, added.json()]).toEqual([201, { place: 'a/b' }]);
    expect((await app.inject({ method: 'POST', url: '/shelves/a/things', payload: {} })).statusCode).toBe(400);
    expect((await app.inject({ url: '/things?of=a,b' })).json()).toEqual({ of: ['a', 'b'], limit: 5 });
    const picture = await app.inject({ url: '/pictures/one' });
    expect([picture.headers['content-type'], [...picture.rawPayload]]).toEqual(['image/png', [1, 2]]);
    const answer = await app.inject({ method: 'DELETE', url: '/things' });
    expect([answer.statusCode, answer.body, removed]).toEqual([204, '', ['all']]);
    await app.close();
  });
});
