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
import { PARAMETERS_OF_ACCOUNTS } from '../../server/users/account-limits.ts';
import { FakeApplication } from './fake-application.ts';

const EACH = Object.entries<Endpoint>(ENDPOINTS);

/** They show or change users and their own sign-in, rules, versions and what is the same for everybody. */
const OF_NO_ACCOUNT = [
  'acceptInvitation',
  'addPasskey',
  'beginCompanySignIn',
  'beginPasskey',
  'beginPasskeyStepUp',
  'beginSession',
  'beginTotp',
  'confirmTotp',
  'connectIdentity',
  'endOwnSession',
  'endSession',
  'finishCompanySignIn',
  'getDescription',
  'getFileTemplate',
  'getGoingLive',
  'getHealth',
  'getMe',
  'getPolicy',
  'getSession',
  'getSignInMethods',
  'issueToken',
  'listFileColumns',
  'listNotificationTypes',
  'listSessions',
  'listTokens',
  'listUsers',
  'listWorkers',
  'rejectChange',
  'removeIdentity',
  'removePasskey',
  'removeTotp',
  'revokeToken',
  'setPassword',
  'stepUpWithPasskey',
  'stepUpWithTotp',
  'verifyAudit',
];

interface Fields {
  properties?: object;
  anyOf?: Fields[];
  oneOf?: Fields[];
  $ref?: string;
  $defs?: Record<string, Fields>;
}

/** The names of what is given in a query, body or form, whichever of several forms it has. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Fields;
  const of = ({ properties = {}, anyOf = [], oneOf = [], $ref }: Fields): string[] => [
    ...Object.keys(properties),
    ...[...anyOf, ...oneOf].flatMap(of),
    ...($ref === undefined ? [] : of(described.$defs?.[$ref.split('/').at(-1) ?? ''] ?? {})),
  ];
  return of(described);
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

describe('the accounts of a user', () => {
  it.each(EACH)('limit %s by what it is given', (_id, { path, access, limitedBy, query, body, form }) => {
    const parameters = PARAMETERS_OF_ACCOUNTS.filter((name) => path.split('/').includes(`:${name}`));
    const isGiven = [query, body, form].flatMap(fieldsOf).includes('account');
    const isOfAll = access === 'manage_users' || access === 'confirm_change';
    const others = isGiven ? ['account'] : ['user', 'all_accounts', 'nothing'];
    expect(parameters.length > 0 ? parameters : isOfAll ? ['all_accounts'] : others).toContain(limitedBy);
  });

  it('do not limit what has nothing of an account: these, and no others', () => {
    const names = EACH.filter(([, { limitedBy }]) => limitedBy === 'nothing').map(([id]) => id);
    expect(names.sort()).toEqual(OF_NO_ACCOUNT);
  });
});

const things = endpoints({
  addThing: {
    method: 'POST',
    path: '/shelves/:shelf/things',
    access: 'anyone',
    limitedBy: 'nothing',
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
    limitedBy: 'nothing',
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
    limitedBy: 'nothing',
    tag: 'things',
    summary: 'A picture',
    params: z.object({ name: z.string() }),
    answers: { 200: bytes('The picture.', ['image/png']) },
  },
  removeThings: {
    method: 'DELETE',
    path: '/things',
    access: 'anyone',
    limitedBy: 'nothing',
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
