import { expect } from 'vitest';
import type { Loose } from '../sandbox/a-sandbox.ts';
import { ANSWERS, type Envelope, type Field } from './answers.ts';
import type { EndpointId } from './endpoints.ts';

/** The differences from the contract's list of fields that a case expects. */
export interface Allowance {
  readonly without?: readonly string[];
  readonly besides?: readonly string[];
}

/** Spellings that differ between the contract's own samples. */
const spellings: ReadonlyMap<string, string> = new Map([
  ['uploadURL', 'uploadUrl'],
  ['downloadURL', 'downloadUrl'],
  ['accountID', 'accountId'],
]);

/** Asserts envelope, names and types of an answer, and returns it without its envelope. */
export function checkAnswer(id: EndpointId, json: Loose, allowance: Allowance = {}): Loose {
  const shape = ANSWERS[id];
  if (shape === null) return json;
  const content = contentOf(id, json, shape.envelope);
  const entries = shape.envelope.endsWith('list') ? (content as unknown as Loose[]) : [content];
  const { fields } = shape;
  if (fields === null) {
    expect(
      entries.filter((entry) => typeof entry !== 'string'),
      `${id}: entries that are no text`,
    ).toEqual([]);
    return content;
  }
  const open = id === 'beneficiary-requirements';
  for (const entry of entries) {
    const found = new Map(
      Object.entries(entry).map(([name, value]) => [spellings.get(name) ?? name, value as unknown]),
    );
    const missing = [...fields].filter(([name, field]) => !field.optional && !found.has(name)).map(([name]) => name);
    const further = [...found.keys()].filter((name) => !open && !fields.has(name));
    const mistyped = [...found].filter(([name, value]) => !hasType(fields.get(name), value)).map(([name]) => name);
    expect({ id, missing, further, mistyped }).toEqual({
      id,
      missing: [...(allowance.without ?? [])],
      further: [...(allowance.besides ?? [])],
      mistyped: [],
    });
  }
  return content;
}

/** As checkAnswer, where unset fields may be absent: they are null in the returned content. */
export function checkSeededAnswer(id: EndpointId, json: Loose, allowance: Allowance = {}): Loose {
  const { envelope, fields } = ANSWERS[id] ?? {};
  if (envelope === undefined || fields === undefined || fields === null) return checkAnswer(id, json);
  const without = new Set(allowance.without);
  const complete = (entry: Loose): Loose => {
    const spelled = new Set(Object.keys(entry).map((name) => spellings.get(name) ?? name));
    const left = [...fields]
      .filter(([name, field]) => !field.optional && !spelled.has(name) && !without.has(name))
      .map(([name]) => name);
    return { ...entry, ...Object.fromEntries(left.map((name) => [name, null])) } as unknown as Loose;
  };
  const content = contentOf(id, json, envelope);
  const whole = Array.isArray(content) ? (content as Loose[]).map(complete) : complete(content);
  const name = envelope.startsWith('data') ? 'data' : envelope === 'value list' ? 'value' : null;
  return checkAnswer(id, (name === null ? whole : { [name]: whole }) as Loose, allowance);
}

function contentOf(id: EndpointId, json: Loose, envelope: Envelope): Loose {
  const name = envelope.startsWith('data') ? 'data' : envelope === 'value list' ? 'value' : null;
  if (name !== null) expect(Object.keys(json), `${id}: its envelope`).toEqual([name]);
  const content = name === null ? json : json[name]!;
  expect(Array.isArray(content), `${id}: whether it is a list`).toBe(envelope.endsWith('list'));
  return content;
}

const hasType = (field: Field | undefined, value: unknown): boolean =>
  field === undefined || value === null || field.types.includes(typeof value);
