import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';

/** The bytes of a file that was submitted, in memory or on disk. */
export type FileContent = Uint8Array | SpooledFile;

/** A file on disk that does not change until the submission has been answered. */
export interface SpooledFile {
  path: string;
  sizeBytes: number;
}

/** A file that was submitted beside the file that names it. */
export interface SubmittedFile {
  /** The name by which it is mentioned. */
  name: string;
  bytes: FileContent;
}

export function sizeOf(content: FileContent): number {
  return content instanceof Uint8Array ? content.byteLength : content.sizeBytes;
}

export async function bytesOf(content: FileContent): Promise<Uint8Array> {
  return content instanceof Uint8Array ? content : readFile(content.path);
}

/** SHA-256, hex: a file on disk is read piece by piece, so that a large one does not delay other requests. */
export async function sha256Of(content: FileContent): Promise<string> {
  const hash = createHash('sha256');
  if (content instanceof Uint8Array) return hash.update(content).digest('hex');
  for await (const piece of createReadStream(content.path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** As many of the first bytes as asked for, or all of a shorter file. */
export async function firstBytesOf(content: FileContent, count: number): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content.subarray(0, count);
  const file = await open(content.path);
  try {
    const bytes = new Uint8Array(Math.min(count, content.sizeBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The SHA-256 of a submitted file in hex; null: none has the name. */
export type HashOf = (name: string) => Promise<string | null>;

/** Reads each file once, when its hash is first asked for. */
export function hashesOf(files: readonly SubmittedFile[]): HashOf {
  const named = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const hashes = new Map<string, Promise<string>>();
  return async (name) => {
    const content = named.get(name);
    if (content === undefined) return null;
    const hash = hashes.get(name) ?? sha256Of(content);
    hashes.set(name, hash);
    return hash;
  };
}
