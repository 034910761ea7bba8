import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { OPERATIONS } from '../../provider/operations.ts';
import { operationIds, operations } from '../../sandbox/endpoints/operations.ts';
import { switches } from '../../sandbox/config/switches.ts';
import { aClient } from '../provider/local-provider.ts';
import { allAreas } from './all-areas.ts';
import { ANSWERS } from './answers.ts';
import { ENDPOINTS, endpointIds, IMPLIED } from './endpoints.ts';
import { functionsOf } from './recorded-calls.ts';
import { combinationsOf, settings } from './settings.ts';

const cases = allAreas.flatMap((area) => area.cases);
const listed = new Set(allAreas.flatMap((area) => area.settings));
const sorted = (texts: Iterable<string>): string[] => [...texts].sort();

describe('the contract is covered completely', () => {
  test('every endpoint has a case', () => {
    const covered = new Set<string>(cases.flatMap(({ covers }) => covers));
    expect(endpointIds.filter((id) => !covered.has(id))).toEqual([]);
  });

  test('every function of the client has a case', () => {
    const covered = new Set<string>(cases.flatMap(({ calls }) => calls));
    const client = aClient({ baseUrl: 'http://127.0.0.1:1' });
    expect(functionsOf(client).filter((name) => !covered.has(name))).toEqual([]);
  });

  test('every switch of the sandbox and every option of the client is listed by an area', () => {
    expect(switches.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
    expect(settings.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
  });

  test('the settings of an area exist', () => {
    for (const { settings: names } of allAreas) expect(() => combinationsOf(names)).not.toThrow();
  });

  test('names of cases are distinct within an area', () => {
    for (const area of allAreas) expect(new Set(area.cases.map(({ name }) => name)).size).toBe(area.cases.length);
  });
});

describe('formats that the sandbox does not use are tested with a scripted provider', () => {
  test.each([
    ['an unknown status is kept', 'users', 'an unknown status is kept'],
    ['statuses of details as text or object', 'users', 'trap 11: a status of %j is read as %j'],
    ['days in either format', 'users', 'the day %j is %j'],
    ['times with and without a zone', 'answer-fields', 'is read as UTC unless it has a time zone'],
    ['a first page that is 0 or 1', 'fundings-and-refunds', 'trap 18: all pages are read, and no more'],
    ['amounts as numbers or strings', 'simple-payments', 'whether they are sent as numbers or as strings'],
    ['lists in every envelope', 'simple-payments', 'a list is read from its envelope: %s'],
    ['error bodies', 'redaction', "describe('error bodies'"],
  ])('%s', (_, file, name) => {
    expect(readFileSync(`test/provider/${file}.test.ts`, 'utf8')).toContain(name);
  });
});

describe('contract, client and sandbox have the same endpoints', () => {
  test("the client's operations are the contract's", () => {
    expect(sorted(OPERATIONS)).toEqual(sorted(endpointIds));
  });

  test("the sandbox's operations are the contract's, storage included", () => {
    expect(sorted(operationIds)).toEqual(sorted(endpointIds));
  });

  test('the sandbox has the methods and paths of the contract', () => {
    const form = (path: string): string => path.replace(/:\w+/g, ':');
    const routes = operations.flatMap(({ ids, method, path }) => ids.map((id) => [id, method, form(path)] as const));
    const shown = routes.filter(([id]) => !IMPLIED.some((implied) => implied === id));
    for (const [id, method, path] of shown) {
      const [contractMethod, contractPath] = ENDPOINTS[id as keyof typeof ENDPOINTS];
      expect([id, method, path]).toEqual([id, contractMethod, form(contractPath ?? '')]);
    }
  });
});

interface ChecklistEntry {
  readonly id: keyof typeof ENDPOINTS;
  readonly kind: string;
  readonly method: string | null;
  readonly path: string | null;
  readonly section: string;
  readonly seed: string;
  readonly response: { readonly fields?: { readonly name: string; readonly deprecated?: boolean }[] };
}

const checklist = '../shared/contract/contract.json';
const isChecklistAvailable = existsSync(checklist);

describe('the checklist, if it is available', () => {
  const entries = (): ChecklistEntry[] => JSON.parse(readFileSync(checklist, 'utf8')) as ChecklistEntry[];

  it.runIf(isChecklistAvailable)('has the same endpoints, with method, path and section', () => {
    expect(entries()).toHaveLength(51);
    for (const { id, method, path, seed, section, kind } of entries()) {
      expect([id, ...ENDPOINTS[id].slice(0, 2)]).toEqual([id, method, path]);
      const [document, number] = ENDPOINTS[id][2].split(' ');
      expect([id, document]).toEqual([id, seed === '000' ? 'account' : 'payments']);
      expect(section).toContain(number);
      expect([id, IMPLIED.includes(id)]).toEqual([id, kind === 'implied']);
    }
  });

  it.runIf(isChecklistAvailable)('has the same fields in its answers, and the same deprecated ones', () => {
    for (const { id, response } of entries()) {
      const named = (response.fields ?? []).filter(({ name }) => /^\w+$/.test(name));
      const fields = ANSWERS[id]?.fields ?? new Map<string, { deprecated: boolean }>();
      expect([id, sorted(fields.keys())]).toEqual([id, sorted(named.map(({ name }) => name))]);
      const deprecated = [...fields].filter(([, field]) => field.deprecated).map(([name]) => name);
      expect([id, sorted(deprecated)]).toEqual([
        id,
        sorted(named.filter((field) => field.deprecated === true).map(({ name }) => name)),
      ]);
    }
  });
});
