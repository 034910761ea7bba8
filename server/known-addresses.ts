import type { FastifyInstance } from 'fastify';

/**
 * Notes every route that is added from now on. The answer says which methods an address has, in the order of the alphabet; none
 * if there is nothing at it. That is no secret: the description of the API says as much.
 */
export function noteAddresses(app: FastifyInstance): (url: string) => string[] {
  const methodsOf = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsOf.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) known.methods.add(each);
    methodsOf.set(url, known);
  });
  return (url) => {
    const [path = ''] = url.split('?');
    const found = [...methodsOf.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}

/** `:name` is one part of the address, and `*` the rest of it. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[^\w-]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
