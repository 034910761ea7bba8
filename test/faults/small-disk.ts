import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A separate file system for a folder, small enough to fill up. */
export interface SmallDisk {
  /** Uses up all free space. */
  fill(): void;
  free(): void;
  unmount(): void;
}

const SIZE = '640m';
const PIECE_BYTES = 1024 * 1024;

/** Null: mounting is not permitted, because it takes root; scenarios with a full disk are then skipped. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  chmodSync(folder, 0o755);
  const filler = join(folder, 'filler');
  return {
    fill: () => fillUp(filler, folder),
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    },
  };
}

function fillUp(filler: string, folder: string): void {
  const file = openSync(filler, 'w');
  try {
    for (let pieceBytes = PIECE_BYTES; pieceBytes >= 4096; ) {
      const { bavail, bsize } = statfsSync(folder);
      if (bavail === 0) return;
      const size = Math.min(pieceBytes, bavail * bsize);
      try {
        writeSync(file, Buffer.alloc(size, 1));
      } catch {
        pieceBytes /= 16;
      }
    }
  } finally {
    closeSync(file);
  }
}
