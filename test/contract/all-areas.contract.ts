import { allAreas } from './all-areas.ts';
import { runAreas } from './run-areas.ts';
import { defaultValues, earlierValues, lastValues } from './settings.ts';

runAreas('all defaults', allAreas, defaultValues, { checksCoverage: true });
runAreas('all earlier variants', allAreas, earlierValues);
runAreas('the last value of every setting', allAreas, lastValues);
