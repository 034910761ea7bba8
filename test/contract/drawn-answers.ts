import { expect } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import type { Timestamp } from '../../provider/calls/wire-fields.ts';
import { ADDITIONAL_FIELDS } from '../../sandbox/answers/additional-fields.ts';

/**
 * A value without the fields that nobody foresaw, at any depth. The client keeps them beside what it reads, other ones in
 * each answer: what is compared is the rest.
 */
export function withoutAdditional<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((entry: unknown) => withoutAdditional(entry)) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([name]) => !(name in ADDITIONAL_FIELDS));
  // What throws when it is read is not read.
  const described = kept.map(([name, property]): [string, PropertyDescriptor] => [
    name,
    'value' in property ? { ...property, value: withoutAdditional(property.value as unknown) } : property,
  ]);
  return Object.defineProperties({}, Object.fromEntries(described)) as Value;
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** The same client, whose answers are without the fields that nobody foresaw. */
export function readingWithoutAdditional(client: ProviderClient): ProviderClient {
  const groups = Object.entries(client).map(([group, calls]: [string, unknown]) => {
    if (typeof calls !== 'object' || calls === null) return [group, calls] as const;
    const reading = Object.entries(calls as Record<string, Call>).map(
      ([name, call]) => [name, async (...given: unknown[]) => withoutAdditional(await call(...given))] as const,
    );
    return [group, Object.fromEntries(reading)] as const;
  });
  return Object.fromEntries(groups) as unknown as ProviderClient;
}

/** That a time is shown, to the second: finer than that, a provider need not be. */
export function expectTime(shown: Timestamp | null | undefined, epochMs: number): void {
  expect(Math.floor((shown?.epochMs ?? 0) / 1000)).toBe(Math.floor(epochMs / 1000));
}
