import type { ProviderClient } from '../../provider/client.ts';

/** The same client, and the names of its functions that have been called, as `users.signUp`. */
export function recordCalls(client: ProviderClient): { client: ProviderClient; called: ReadonlySet<string> } {
  const called = new Set<string>();
  const groups = Object.entries(client).map(([group, calls]: [string, unknown]) => {
    if (typeof calls !== 'object' || calls === null) return [group, calls];
    const recording = new Proxy(calls, {
      get: (target, name, receiver) => {
        called.add(`${group}.${String(name)}`);
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    return [group, recording];
  });
  return { client: Object.fromEntries(groups) as ProviderClient, called };
}

/** The names of all functions of a client. */
export function functionsOf(client: ProviderClient): string[] {
  return Object.entries(client).flatMap(([group, calls]: [string, unknown]) =>
    typeof calls === 'object' && calls !== null ? Object.keys(calls).map((name) => `${group}.${name}`) : [],
  );
}
