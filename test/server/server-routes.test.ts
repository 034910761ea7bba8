import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import type { AppOptions } from '../../server/app.ts';
import { SignInDelay } from '../../server/users/sign-in-delay.ts';
import { anApp } from './server-harness.ts';

/** That the table of routes, by which other tests try every route, leaves none out that the server has. */

/** In no description of the API, and so in no table: each with what protects it. */
const BESIDE_THE_API = [
  // Pages and scripts hold nothing that needs a sign-in.
  'GET /',
  ...['account', 'accounts', 'admin', 'audit', 'drafts', 'inbox', 'onboarding', 'operations', 'reconciliation', 'runs']
    .concat(['sign-in', 'treasury'])
    .flatMap((page) => [`GET /${page}`, `GET /${page}/*`]),
  'GET /assets/:name',
  // Users who may read the audit trail, and the token of the metrics: server-metrics.test.ts.
  'GET /metrics',
  // The token in the address: server-webhooks.test.ts.
  'POST /webhooks/:token',
];

/** `METHOD /path` of every route, from the tree that the router prints. */
function routesOf(app: FastifyInstance): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4;
      const parent = depth === 0 ? '' : (above[depth - 1] ?? '');
      // The tree leaves the slash before a wildcard out.
      const path = `${parent}${part === '*' && !parent.endsWith('/') ? '/' : ''}${part}`;
      above[depth] = path;
      return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`);
    });
}

type Optional<T> = { [Key in keyof T as undefined extends T[Key] ? Key : never]-?: NonNullable<T[Key]> };

/** Each option that may be absent: a route could be registered only with one of them. */
const EVERYTHING: Optional<AppOptions> = {
  console: { page: '', assets: new Map() },
  metrics: { text: () => Promise.resolve(''), contentType: 'text/plain' },
  metricsToken: 'a-token-of-the-metrics',
  publicUrl: 'https://payrun.example.com',
  trustedProxies: [],
  signInDelay: new SignInDelay(Date.now, () => Promise.resolve()),
  observer: { answered: () => undefined, webhookReceived: () => undefined, webhookRejected: () => undefined },
  ...{ feed: {}, stream: {}, submissions: {}, arrival: {} },
};

it('every route that the server has is in the table of security.md, or named here', async () => {
  const { app } = anApp(EVERYTHING);
  await app.ready();
  const described = tableUnder('security.md', 'Roles and routes').map(({ route = '' }) =>
    route.replaceAll(/\{(\w+)\}/g, ':$1'),
  );
  expect(routesOf(app).sort()).toEqual([...described, ...BESIDE_THE_API].sort());
});
