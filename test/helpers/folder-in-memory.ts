import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * Where tests keep databases: in memory if there is room, as each is a thousand files and none is kept; else in the folder for
 * temporary files.
 */
export function folderInMemory(): string {
  if (!existsSync(MEMORY_FOLDER) || !mayRunPrograms(MEMORY_FOLDER)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize < MEMORY_BYTES ? tmpdir() : MEMORY_FOLDER;
}

function mayRunPrograms(folder: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).filter(([, path]) => path === folder);
  return options.length > 0 && options.every(([, , , flags = '']) => !flags.split(',').includes('noexec'));
}
