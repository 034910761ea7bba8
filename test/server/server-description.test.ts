import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../server/app.ts';
import { FakeApplication } from './fake-application.ts';

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

interface Description {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

let description: Description;

beforeAll(async () => {
  const options = {
    application: new FakeApplication(),
    webhookAccounts: [],
    log: false,
    version: '1.2.3',
    temporalUiUrl: null,
  };
  const app = buildApp({ ...options, log: false });
  description = (await app.inject({ url: '/api/v1/openapi.json' })).json<Description>();
  await app.close();
});

function operations(): [string, Operation][] {
  return Object.entries(description.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
}

describe('the description of the API', () => {
  it('is OpenAPI 3.1 and names the way to sign in', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
  });

  it('gives each operation a unique name, a summary, its security and one success', () => {
    expect(operations().length).toBeGreaterThan(12);
    const names = operations().map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const [place, operation] of operations()) {
      expect(operation.summary, place).not.toBe('');
      expect(operation.security, place).toBeInstanceOf(Array);
      expect(
        Object.keys(operation.responses).filter((status) => /^[23]/.test(status)),
        place,
      ).toHaveLength(1);
    }
  });

  it('describes every answer, in words and by a schema', () => {
    for (const [place, operation] of operations()) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        expect(answer.description, `${place} ${status}`).not.toMatch(/^$|Default Response/);
        if (status === '204' || status === '302') continue;
        const [content] = Object.values(answer.content ?? {});
        expect(content?.schema, `${place} ${status}`).toBeDefined();
      }
    }
  });

  it('lists 401 wherever a token is needed, and one schema for every error', () => {
    for (const [place, operation] of operations()) {
      if (operation.security.length > 0) expect(Object.keys(operation.responses), place).toContain('401');
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || place.includes('/health')) continue;
        expect(answer.content?.['application/json']?.schema, `${place} ${status}`).toEqual({
          $ref: '#/components/schemas/Refusal',
        });
      }
    }
  });

  it('has exactly the schemas that it refers to', () => {
    const text = JSON.stringify(description);
    const mentioned = new Set([...text.matchAll(/#\/components\/schemas\/([A-Za-z]+)"/g)].map(([, name]) => name));
    expect([...mentioned].sort()).toEqual(Object.keys(description.components.schemas).sort());
    expect(mentioned).toContain('Run');
  });

  it('shows a submission as a form with files', () => {
    const form = description.paths['/api/v1/runs']?.post?.requestBody?.content['multipart/form-data'];
    const text = JSON.stringify([form, description.components.schemas]);
    expect(form).toBeDefined();
    expect(text).toContain('"format":"binary"');
  });

  it('shows numbers in queries with their limits and defaults', () => {
    const limit = description.paths['/api/v1/runs']?.get?.parameters?.find(({ name }) => name === 'limit');
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } });
  });

  it('leaves out addresses that contain secrets', () => {
    const asking = Object.keys(description.paths).filter((path) => path.startsWith('/api/v1/webhooks'));
    expect(asking).toEqual(['/api/v1/webhooks', '/api/v1/webhooks/{webhookId}']);
    expect(asking.map((path) => Object.keys(description.paths[path] ?? {}))).toEqual([['get'], ['get']]);
  });
});
