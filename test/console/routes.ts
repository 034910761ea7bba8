import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROUTER = join(import.meta.dirname, '..', '..', 'console', 'shell', 'router.tsx');

/** The paths of all pages, as the router lists them: it cannot be loaded outside of a browser. */
export function consoleRoutes(): string[] {
  const source = readFileSync(ROUTER, 'utf8');
  const paths = [...source.matchAll(/\bpage\(\s*'(\/[^']*)'/g)].map(([, path = '']) => path);
  const components = source.match(/lazyRouteComponent\(/g)?.length ?? 0;
  if (paths.length === 0 || paths.length !== components) {
    throw new Error(`${ROUTER} has ${components} pages, and ${paths.length} of them have a path that is a plain text`);
  }
  return paths;
}
