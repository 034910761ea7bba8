import type { FastifyInstance } from 'fastify';

/** The methods of a path, as in an `Allow` header; empty for an unknown path. */
export type AllowedMethods = (path: string) => string;

/**
 * Collects the methods of every route that is added to a server from now on, to tell a wrong method (405) from an
 * unknown path (404).
 */
export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(url, methods);
  });
  return (path) => {
    const parts = path.split('/');
    const found = [...methodsByPath].filter(([pattern]) => matches(pattern.split('/'), parts));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort().join(', ');
  };
}

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]));
