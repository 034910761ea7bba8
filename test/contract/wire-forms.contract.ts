import { allAreas } from './all-areas.ts';
import { authentication } from './areas/authentication.ts';
import { conversions } from './areas/conversions.ts';
import { signUps } from './areas/sign-ups.ts';
import { runAreas } from './run-areas.ts';
import { allDefault } from './settings.ts';
import { furtherErrorForms, wireForms } from './wire-forms.ts';

for (const form of wireForms) runAreas(form.name, allAreas, allDefault, { form });

// One place reads the bodies of all failures, so these areas stand for the others: between them they have every kind.
const refusing = [authentication, ...signUps, conversions];
for (const form of furtherErrorForms) runAreas(form.name, refusing, allDefault, { form });
