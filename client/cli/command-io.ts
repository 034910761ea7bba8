import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** What a command sees of the process it runs in. */
export interface CommandIo {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Whether stdout is a terminal: only then is anything redrawn or coloured. */
  isTty: boolean;
  /** The user who acts, where the option --as names one. */
  readonly as?: string | undefined;
}

const NARROW_WIDTH = 80;

/** Writes and, when the reader is slow, waits for it: so that a large file never piles up in memory. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

export async function writeLine(stream: Writable, text: string): Promise<void> {
  await write(stream, `${text}\n`);
}

export async function writeJson(io: CommandIo, document: unknown): Promise<void> {
  await writeLine(io.stdout, JSON.stringify(document));
}

export function widthOf(io: CommandIo): number {
  return 'columns' in io.stdout && typeof io.stdout.columns === 'number' ? io.stdout.columns : NARROW_WIDTH;
}

export function usesColor(io: CommandIo): boolean {
  return io.isTty && (io.env.NO_COLOR ?? '') === '' && io.env.TERM !== 'dumb';
}
