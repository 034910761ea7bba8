import type { FastifyInstance } from 'fastify';

/** The methods that a path is served with, as an `Allow` header lists them; empty where nothing has the path. */
export type AllowedMethods = (path: string) => string;

/**
 * Notes every route that is added to a server from now on, and tells the methods of a path: a method that a path does
 * not have is another mistake (405) than a path that is not there (404).
 */
export function noteAllowedMethods(app: FastifyInstance): AllowedMethods {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByPath.set(url, methods);
  });
  return (path) => {
    const asked = path.split('/');
    const found = [...methodsByPath].filter(([pattern]) => fits(pattern.split('/'), asked));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort().join(', ');
  };
}

const fits = (pattern: readonly string[], asked: readonly string[]): boolean =>
  pattern.length === asked.length &&
  pattern.every((part, place) => (part.startsWith(':') ? asked[place] !== '' : part === asked[place]));
