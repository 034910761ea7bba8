import type { SandboxOptions } from '../config/options.ts';
import { Refusal } from '../core/refusal.ts';
import { World } from '../world.ts';
import { Journal } from './journal.ts';
import { replay } from './replay.ts';
import { StateFileError } from './state-file-error.ts';

/**
 * A world with the state of its state file, or a new one. Call `restore` once the world knows all replay handlers.
 * @throws StateFileError when the state file cannot be used; Error as `World` does
 */
export function startWorld(options: SandboxOptions): { world: World; restore: () => void } {
  if (options.stateFile === null) return { world: new World(options), restore: () => undefined };
  const journal = new Journal(options.stateFile);
  const report = options.report ?? ((): void => undefined);
  try {
    const world = new World(options, journal);
    return {
      world,
      restore: () => {
        replay(journal, world, report);
        world.finishReplay();
      },
    };
  } catch (error) {
    journal.close();
    throw error instanceof Refusal ? new StateFileError(journal.path, error.message, 'Or name another file') : error;
  }
}
