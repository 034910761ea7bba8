import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STORE = fileURLToPath(new URL('../../store/', import.meta.url));

/** The sources of the store, whose statements are SQL as well. */
export function storeSources(): string[] {
  return readSources(STORE);
}

function readSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readSources(path);
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

/** What is set as an error code: one text, or the texts that a `case` chooses from. */
const SET = /error_code\s*=\s*(?:'(\w+)'|case\b([\s\S]*?)\bend\b)/g;
/** A `case` whose result is named `code`. */
const NAMED = /case\b((?:(?!\bcase\b)[\s\S])*?)\bend as code\b/g;
const CHOICE = /\b(?:then|else)\s+'(\w+)'/g;

/** The error codes that SQL writes as literals. */
export function errorCodesInSql(text: string): string[] {
  const set = [...text.matchAll(SET)];
  const choices = [...set.map(([, , choice]) => choice), ...[...text.matchAll(NAMED)].map(([, choice]) => choice)];
  return [
    ...set.flatMap(([, literal]) => literal ?? []),
    ...choices.flatMap((choice) => [...(choice ?? '').matchAll(CHOICE)].flatMap(([, code]) => code ?? [])),
  ];
}
