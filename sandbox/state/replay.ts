import type { World } from '../world.ts';
import type { Journal, StoredEntry } from './journal.ts';
import { optionDifference } from './recorded-options.ts';
import { StateFileError } from './state-file-error.ts';

/**
 * Restores the state of a journal by repeating its entries in a new world, each at its own time. Afterwards the world's
 * clock is still in the past.
 * @throws StateFileError that names the option which differs, or the file and the line that cannot be replayed
 */
export function replay(journal: Journal, world: World, report: (line: string) => void): void {
  const { header, path } = journal;
  if (!header) return;
  const difference = optionDifference(header.options, world.options);
  if (difference !== undefined) {
    throw new StateFileError(
      path,
      `was created with ${difference}`,
      'Start with the options that it was created with, or name another file',
    );
  }
  for (const entry of journal.entries(report)) replayEntry(entry, world, path);
}

function replayEntry(entry: StoredEntry, world: World, path: string): void {
  const fail = (reason: string): StateFileError => {
    const problem = `line ${entry.line} cannot be replayed (${entry.name}: ${reason})`;
    return new StateFileError(path, problem, 'Restore the file from a copy, or name another');
  };
  const account = world.account(entry.apiKey);
  if (!account) throw fail('no account has its API key');
  const handler = world.replayHandlers.get(entry.name);
  if (!handler) throw fail('no call has this name');
  let effect: () => unknown;
  try {
    effect = handler({ ...entry, account });
  } catch {
    throw fail('its request cannot be read');
  }
  world.clock.replayAt(entry.atMs, () => {
    try {
      effect();
    } catch {
      // The original call was refused as well, with the same effect.
    }
  });
}
