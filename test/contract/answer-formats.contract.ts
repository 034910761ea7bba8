import { allAreas } from './all-areas.ts';
import { authentication } from './areas/authentication.ts';
import { conversions } from './areas/conversions.ts';
import { signUps } from './areas/sign-ups.ts';
import { runAreas } from './run-areas.ts';
import { defaultValues } from './settings.ts';
import { remainingErrorFormats, answerFormats } from './answer-formats.ts';

for (const form of answerFormats) runAreas(form.name, allAreas, defaultValues, { form });

// One function reads the bodies of all failures, so it is enough to run areas that together have every kind of failure.
const areasWithFailures = [authentication, ...signUps, conversions];
for (const form of remainingErrorFormats) runAreas(form.name, areasWithFailures, defaultValues, { form });
