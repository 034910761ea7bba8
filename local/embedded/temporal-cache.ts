import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { TEMPORAL_CLI_VERSION } from './temporal-version.ts';

/**
 * The folder for what is fetched once per user: `payrun` in XDG_CACHE_HOME, which counts only when absolute, else in
 * ~/.cache.
 */
export function payrunCacheDir(env: Readonly<Record<string, string | undefined>>): string {
  const wanted = env['XDG_CACHE_HOME'];
  if (wanted !== undefined && isAbsolute(wanted)) return join(wanted, 'payrun');
  const home = env['HOME'];
  return join(home === undefined || home === '' ? homedir() : home, '.cache', 'payrun');
}

/** The cached program's path: its name tells version and platform, so that an upgrade never runs the old one. */
export function cachedTemporal(cacheDir: string): string {
  return join(cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}-${process.platform}-${process.arch}`);
}
