import { writeFileSync } from 'node:fs';
import { REFERENCE_PAGES } from './pages.ts';
import { STATE_FUNCTION_FILES } from './state-functions.ts';

/** Writes what the database asks of states beside the statements of the store, and then the reference pages into docs/. */
for (const [file, functions] of Object.entries(STATE_FUNCTION_FILES)) {
  writeFileSync(new URL(`../${file}`, import.meta.url), functions());
}
for (const [file, page] of Object.entries(REFERENCE_PAGES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), page());
}
