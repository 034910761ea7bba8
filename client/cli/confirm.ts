import { createInterface } from 'node:readline/promises';
import type { CommandIo } from './command-io.ts';
import { WrongInput } from './exit-code.ts';
import { printable } from './printable.ts';

/**
 * Asks at the terminal, before something that cannot be undone. Throws WrongInput unless the answer is `yes`, and without a
 * terminal, where nobody can answer.
 */
export async function expectConfirmed(io: CommandIo, question: string): Promise<void> {
  // guard: forget-confirmed
  if (!('isTTY' in io.stdin) || io.stdin.isTTY !== true) {
    throw new WrongInput('this cannot be undone, and there is no terminal to ask at: confirm it with --yes');
  }
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    // Ctrl-C and Ctrl-D are no confirmation.
    const cancelled = new Promise<string>((resolve) => {
      lines.once('SIGINT', () => resolve(''));
      lines.once('close', () => resolve(''));
    });
    const answer = await Promise.race([lines.question(`${printable(question)} Type yes: `), cancelled]);
    if (answer.trim().toLowerCase() !== 'yes') throw new WrongInput('not confirmed: nothing was done');
  } finally {
    lines.close();
  }
}
