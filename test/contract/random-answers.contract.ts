import { allAreas } from './all-areas.ts';
import { runAreas } from './run-areas.ts';
import { defaultValues } from './settings.ts';

/**
 * Together they give every order of lists, every format of unset fields, and times with and without zone and fraction.
 */
const SEEDS = [4, 5, 8, 35];

for (const seed of SEEDS) {
  runAreas(`answers varied by seed ${seed}`, allAreas, new Map([...defaultValues, ['answers', 'seeded']]), { seed });
}
