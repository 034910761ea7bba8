import type { World } from '../core/world.ts';
import { differenceOf } from './deciding-options.ts';
import type { Journal, KeptDeed } from './journal.ts';
import { StateFileError } from './state-file-error.ts';

/**
 * Makes the state that a journal keeps, by doing again in a new world all that was done, each at its moment. Afterwards
 * the world's clock still stands in the past.
 * @throws StateFileError that names the option which differs from the state's, or the file and the line that cannot be done again
 */
export function replay(journal: Journal, world: World, report: (line: string) => void): void {
  const { beginning, path } = journal;
  if (!beginning) return;
  const difference = differenceOf(beginning.options, world.options);
  if (difference !== undefined) {
    throw new StateFileError(
      path,
      `was begun with ${difference}`,
      'Start with what it was begun with, or name another file',
    );
  }
  for (const kept of journal.deeds(report)) doAgain(kept, world, path);
}

function doAgain(kept: KeptDeed, world: World, path: string): void {
  const fail = (reason: string): StateFileError => {
    const problem = `line ${kept.line} cannot be done again (${kept.name}: ${reason})`;
    return new StateFileError(path, problem, 'Put the file back from a copy, or name another');
  };
  const account = world.account(kept.apiKey);
  if (!account) throw fail('no account has its API key');
  const redo = world.redos.get(kept.name);
  if (!redo) throw fail('no call has this name');
  let effect: () => unknown;
  try {
    effect = redo({ ...kept, account });
  } catch {
    throw fail('what it was done with cannot be read');
  }
  world.clock.doAgain(kept.atMs, () => {
    try {
      effect();
    } catch {
      // It was refused when it was done first, too, and has left the same behind.
    }
  });
}
