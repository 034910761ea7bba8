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
  if (!canAsk(io)) {
    throw new WrongInput('this cannot be undone, and there is no terminal to ask at: confirm it with --yes');
  }
  const answer = await ask(io, `${question} Type yes:`);
  if (answer.toLowerCase() !== 'yes') throw new WrongInput('not confirmed: nothing was done');
}

/** Whether there is a terminal, where somebody can answer. */
export function canAsk({ stdin }: Pick<CommandIo, 'stdin'>): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}

/** What is typed at the terminal, without spaces around it; empty after Ctrl-C and Ctrl-D. */
export async function ask(io: Pick<CommandIo, 'stdin' | 'stderr'>, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const cancelled = new Promise<string>((resolve) => {
      lines.once('SIGINT', () => resolve(''));
      lines.once('close', () => resolve(''));
    });
    return (await Promise.race([lines.question(`${printable(question)} `), cancelled])).trim();
  } finally {
    lines.close();
  }
}
