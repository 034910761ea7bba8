import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The console as `bin/build-console.mjs` leaves it. */
export interface ConsoleFiles {
  /** With `NONCE_PLACEHOLDER` wherever the nonce of a response belongs. */
  page: string;
  /** By name, without folder. */
  assets: ReadonlyMap<string, ConsoleAsset>;
}

export interface ConsoleAsset {
  contentType: string;
  content: Buffer;
  /** The same content, compressed; what is not worth it has none. */
  brotli: Buffer | null;
  gzip: Buffer | null;
}

/** As in `console/index.html` and `console/vite.config.ts`. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Reads the built console from its folder. All of it is kept in memory, a megabyte or two: an address can then name only
 * what is in the map, and never a path. Null where it was not built.
 */
export function readConsoleFiles(folder: string): ConsoleFiles | null {
  const page = readIfExists(join(folder, 'index.html'));
  if (page === null) return null;
  const assetFolder = join(folder, 'assets');
  const assets = readdirSync(assetFolder).flatMap((name): [string, ConsoleAsset][] => {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) return [];
    const path = join(assetFolder, name);
    const compressed = { brotli: readIfExists(`${path}.br`), gzip: readIfExists(`${path}.gz`) };
    return [[name, { contentType, content: readFileSync(path), ...compressed }]];
  });
  return { page: page.toString('utf8'), assets: new Map(assets) };
}

function readIfExists(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
