import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own for a folder, small enough to be filled. */
export interface SmallDisk {
  /** Takes all the space that is left. */
  fill(): void;
  free(): void;
  unmount(): void;
}

const SIZE = '640m';
const PIECE_BYTES = 1024 * 1024;

/** Null: mounting is not permitted here (it takes root), and what needs a full disk is skipped. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    fill: () => fillUp(ballast, folder),
    free: () => rmSync(ballast, { force: true }),
    unmount: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    },
  };
}

function fillUp(ballast: string, folder: string): void {
  const file = openSync(ballast, 'w');
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
