import { link, open, rename, rm } from 'node:fs/promises';
import { WrongInput } from './exit-code.ts';

/**
 * Writes a file under another name until it is whole: a broken download must not look like a report. It is readable by
 * its owner alone. Answers the bytes written. @throws WrongInput when it cannot be written, or is there and stays.
 */
export async function save(
  pieces: AsyncIterable<string | Uint8Array>,
  path: string,
  { mayReplace }: { mayReplace: boolean },
): Promise<number> {
  const partial = `${path}.partial-${process.pid}`;
  // What lies under this name is of a process that was killed, or a trap: it is replaced, and no link is followed.
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
    else await linkAnew(partial, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
  return bytes;
}

/** Gives the file its name unless that is taken, also by a link that leads elsewhere. */
async function linkAnew(partial: string, path: string): Promise<void> {
  await link(partial, path).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST'
      ? new WrongInput(`${path} is there already: choose an empty folder with -o`)
      : cannotWrite(path, error);
  });
  await rm(partial);
}

function cannotWrite(path: string, error: unknown): WrongInput {
  return new WrongInput(`cannot write ${path} (${codeOf(error)}): choose another place with -o`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown trouble';
}
