import { moneyAreas } from './all-areas.ts';
import { runUnderEveryCombination } from './run-areas.ts';

for (const area of moneyAreas) runUnderEveryCombination(area);
