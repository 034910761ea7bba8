import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandIo } from './command-io.ts';
import { write, writeLine } from './command-io.ts';

/** Asks for a secret without showing what is typed; without a terminal, reads all of stdin. */
export async function readSecret(io: CommandIo, question: string): Promise<string> {
  if (!('isTTY' in io.stdin) || io.stdin.isTTY !== true) return (await text(io.stdin)).trim();
  await write(io.stderr, question);
  const discard = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output: discard, terminal: true });
  try {
    // Ctrl-C and Ctrl-D cancel.
    const cancelled = new Promise<string>((resolve) => {
      lines.once('SIGINT', () => resolve(''));
      lines.once('close', () => resolve(''));
    });
    return (await Promise.race([lines.question(''), cancelled])).trim();
  } finally {
    lines.close();
    await writeLine(io.stderr, '');
  }
}
