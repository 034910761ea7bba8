import { writeFileSync } from 'node:fs';
import { REFERENCE_PAGES } from './pages.ts';
import { STATE_FUNCTION_FILES } from './state-functions.ts';

/** Writes the reference pages into docs/, and what the database asks of states beside the statements of the store. */
for (const [file, page] of Object.entries(REFERENCE_PAGES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), page());
}
for (const [file, functions] of Object.entries(STATE_FUNCTION_FILES)) {
  writeFileSync(new URL(`../${file}`, import.meta.url), functions());
}
