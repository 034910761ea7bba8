import { link, open, rename, rm } from 'node:fs/promises';
import { WrongInput } from './exit-code.ts';

/**
 * Writes a file, readable by its owner alone, and returns the number of bytes. It gets its name when it is complete: a
 * broken download must not be taken for a report. @throws WrongInput when it cannot be written or must not be replaced.
 */
export async function save(
  pieces: AsyncIterable<string | Uint8Array>,
  path: string,
  { mayReplace }: { mayReplace: boolean },
): Promise<number> {
  const partial = `${path}.partial-${process.pid}`;
  // A file of this name was left by a killed process, or placed by an attacker: it is replaced, and no link followed.
  await rm(partial, { force: true }).catch(() => undefined);
  const file = await open(partial, 'wx', 0o600).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      const content = typeof piece === 'string' ? Buffer.from(piece) : piece;
      await file.writeFile(content);
      bytes += content.byteLength;
    }
    await file.sync();
    await file.close();
    if (mayReplace) await rename(partial, path);
    else await linkUnlessTaken(partial, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
  return bytes;
}

/** Gives the file its name unless that is taken, be it by a link. */
async function linkUnlessTaken(partial: string, path: string): Promise<void> {
  await link(partial, path).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST'
      ? new WrongInput(`${path} already exists: choose an empty folder with -o`)
      : cannotWrite(path, error);
  });
  await rm(partial);
}

function cannotWrite(path: string, error: unknown): WrongInput {
  return new WrongInput(`cannot write ${path} (${codeOf(error)}): choose another place with -o`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
