import { accountAreas } from './all-areas.ts';
import { runUnderEveryCombination } from './run-areas.ts';

for (const area of accountAreas) runUnderEveryCombination(area);
