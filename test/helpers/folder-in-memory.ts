import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * A new folder for an installation or its services: in memory if there is room, as each database is a thousand files and none is
 * kept; else with the temporary files. The caller deletes it.
 */
export function newFolderInMemory(name: string): string {
  const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), `payrun-${name}-`));
  // When this runs as root, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  return folder;
}

function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER) || !mayRunPrograms(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_BYTES;
}

function mayRunPrograms(folder: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).filter(([, path]) => path === folder);
  return options.length > 0 && options.every(([, , , flags = '']) => !flags.split(',').includes('noexec'));
}
