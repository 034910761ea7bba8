import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** A command's streams, environment and working directory. */
export interface CommandIo {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Whether stdout is a terminal: only then is anything redrawn or coloured. */
  isTty: boolean;
  /** The login that the option --as names. */
  readonly as?: string | undefined;
  /** A code of an authenticator app, which the option --code gives. */
  readonly code?: string | undefined;
}

const DEFAULT_WIDTH = 80;

/** Writes, and waits for a slow reader so that a large file is never held in memory. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

export async function writeLine(stream: Writable, text: string): Promise<void> {
  await write(stream, `${text}\n`);
}

export async function writeJson(io: CommandIo, document: unknown): Promise<void> {
  await writeLine(io.stdout, JSON.stringify(document));
}

export function widthOf(io: CommandIo): number {
  return 'columns' in io.stdout && typeof io.stdout.columns === 'number' ? io.stdout.columns : DEFAULT_WIDTH;
}

export function usesColor(io: CommandIo): boolean {
  return io.isTty && (io.env.NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb';
}
