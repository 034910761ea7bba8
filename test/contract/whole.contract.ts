import { allAreas } from './all-areas.ts';
import { runAreas } from './run-areas.ts';
import { allDefault, allEarlier, allOther } from './settings.ts';

runAreas('all by default', allAreas, allDefault, { claims: true });
runAreas('all earlier', allAreas, allEarlier);
runAreas('the last word of everything', allAreas, allOther);
