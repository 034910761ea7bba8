import type { SandboxOptions } from '../config/defaults.ts';
import { Refusal } from '../core/refusal.ts';
import { World } from '../core/world.ts';
import { Journal } from './journal.ts';
import { replay } from './replay.ts';
import { StateFileError } from './state-file-error.ts';

/**
 * A world as its state file left it, or a new one. `catchUp` makes the state again, once the world knows all calls.
 * @throws StateFileError when the state file cannot be used; Error as `World` does
 */
export function startWorld(options: SandboxOptions): { world: World; catchUp: () => void } {
  if (options.stateFile === null) return { world: new World(options), catchUp: () => undefined };
  const journal = new Journal(options.stateFile);
  const report = options.report ?? ((): void => undefined);
  try {
    const world = new World(options, journal);
    return {
      world,
      catchUp: () => {
        replay(journal, world, report);
        world.goOn();
      },
    };
  } catch (error) {
    journal.close();
    throw error instanceof Refusal ? new StateFileError(journal.path, error.message, 'Or name another file') : error;
  }
}
