import { writeFileSync } from 'node:fs';
import { REFERENCE_PAGES } from './pages.ts';

/** Writes the reference pages into docs/. */
for (const [file, page] of Object.entries(REFERENCE_PAGES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), page());
}
