import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandIo } from './command-io.ts';
import { write, writeLine } from './command-io.ts';

/** Asks for a secret, without showing what is typed; where nobody types, reads all of stdin. */
export async function readSecret(io: CommandIo, question: string): Promise<string> {
  if (!('isTTY' in io.stdin) || io.stdin.isTTY !== true) return (await text(io.stdin)).trim();
  await write(io.stderr, question);
  const nothing = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output: nothing, terminal: true });
  try {
    // Ctrl-C and Ctrl-D give up.
    const ended = new Promise<string>((resolve) => {
      lines.once('SIGINT', () => resolve(''));
      lines.once('close', () => resolve(''));
    });
    return (await Promise.race([lines.question(''), ended])).trim();
  } finally {
    lines.close();
    await writeLine(io.stderr, '');
  }
}
