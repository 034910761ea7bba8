import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ApplicationError } from '../application-error.ts';
import type { SignedIn } from './signed-in.ts';

/** Less than 10^8 guesses, by the estimate of zxcvbn: somebody who is slowed down by nothing needs seconds. */
const WEAK_BELOW = 3;
/** The estimate takes longer the longer the password is; what is weak so far is not accepted for what follows. */
const ESTIMATED_CHARACTERS = 64;
const WORDS_OF_OURS = ['payrun', 'payments', 'treasury', 'console'];

/**
 * The most frequent passwords of breaches, keyboard rows, dates, repetitions, and words that whoever knows the user would try, in
 * their usual disguises. @throws ApplicationError `invalid_input`
 */
export async function refuseGuessablePassword(
  { login, name }: Pick<SignedIn, 'login' | 'name'>,
  password: string,
): Promise<void> {
  const { score } = (await estimator()).check(password.slice(0, ESTIMATED_CHARACTERS), [
    ...[login, name, ...login.split(/[^\p{L}\p{N}]+/u), ...name.split(/\s+/)].filter((word) => word !== ''),
    ...WORDS_OF_OURS,
  ]);
  // guard: guessable-password
  if (score >= WEAK_BELOW) return;
  throw new ApplicationError(
    'invalid_input',
    'this password would soon be guessed: it is a common one, or made of names, dates, keyboard rows or repetitions. Take several ' +
      'words that do not belong together, or have a password manager make one',
  );
}

let loaded: Promise<ZxcvbnFactory> | null = null;

/** Its lists are loaded when a password is first set. */
function estimator(): Promise<ZxcvbnFactory> {
  loaded ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) =>
      new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }),
  );
  return loaded;
}
