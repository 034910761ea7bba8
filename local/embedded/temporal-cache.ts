import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { TEMPORAL_CLI_VERSION } from './temporal-version.ts';

/** A request to put the Temporal CLI into the cache. */
export interface TemporalRequest {
  /** The path of the program. */
  target: string;
  cacheDir: string;
  /** PATH, HOME, GOPROXY and the like, for a Go build. */
  env: Readonly<Record<string, string | undefined>>;
  report: (line: string) => void;
}

/**
 * The folder for downloads, one per user: `payrun` in XDG_CACHE_HOME, which is used only if absolute, else in
 * ~/.cache.
 */
export function payrunCacheDir(env: Readonly<Record<string, string | undefined>>): string {
  const wanted = env['XDG_CACHE_HOME'];
  if (wanted !== undefined && isAbsolute(wanted)) return join(wanted, 'payrun');
  const home = env['HOME'];
  return join(home === undefined || home === '' ? homedir() : home, '.cache', 'payrun');
}

/** The path of the cached program. The name has version and platform, so that an upgrade never runs the old one. */
export function cachedTemporal(cacheDir: string): string {
  return join(cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}-${process.platform}-${process.arch}`);
}
