import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { MARK } from './applicants.ts';

/** Logs of all processes, and what Temporal keeps. */
const SEARCHED = /\.log$|^temporal\//;

/** Files below the folder of a stack in which a text of an applicant can be read: personal data belongs in none of them. */
export function filesWithMarks(home: string): string[] {
  const found: string[] = [];
  const search = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        // Postgres has it encrypted, in files that change all the time.
        if (entry.name !== 'cluster') search(path);
      } else if (entry.isFile() && SEARCHED.test(relative(home, path)) && hasMark(path))
        found.push(relative(home, path));
    }
  };
  search(home);
  return found;
}

/** Mail addresses may be in lower case. */
function hasMark(path: string): boolean {
  try {
    return readFileSync(path).toString('latin1').toLowerCase().includes(MARK.toLowerCase());
  } catch {
    // A file that was removed meanwhile.
    return false;
  }
}
