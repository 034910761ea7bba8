import { expect } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import type { Timestamp } from '../../provider/calls/answer-fields.ts';
import { ADDITIONAL_FIELDS } from '../../sandbox/answers/additional-fields.ts';

/**
 * A value without the additional fields that the sandbox draws, at any depth. The client keeps them, and each answer
 * has different ones, so they are removed before values are compared.
 */
export function withoutAdditionalFields<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((entry: unknown) => withoutAdditionalFields(entry)) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([name]) => !(name in ADDITIONAL_FIELDS));
  // Getters may throw, so they are copied without being called.
  const described = kept.map(([name, property]): [string, PropertyDescriptor] => [
    name,
    'value' in property ? { ...property, value: withoutAdditionalFields(property.value as unknown) } : property,
  ]);
  return Object.defineProperties({}, Object.fromEntries(described)) as Value;
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** The same client, with answers without additional fields. */
export function clientWithoutAdditionalFields(client: ProviderClient): ProviderClient {
  const groups = Object.entries(client).map(([group, calls]: [string, unknown]) => {
    if (typeof calls !== 'object' || calls === null) return [group, calls] as const;
    const reading = Object.entries(calls as Record<string, Call | boolean>).map(([name, call]) =>
      typeof call === 'boolean'
        ? ([name, call] as const)
        : ([name, async (...given: unknown[]) => withoutAdditionalFields(await call(...given))] as const),
    );
    return [group, Object.fromEntries(reading)] as const;
  });
  return Object.fromEntries(groups) as unknown as ProviderClient;
}

/** Compares times to the second: a provider need not be more precise. */
export function expectTime(shown: Timestamp | null | undefined, epochMs: number): void {
  expect(Math.floor((shown?.epochMs ?? 0) / 1000)).toBe(Math.floor(epochMs / 1000));
}
