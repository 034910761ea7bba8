import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUARD_TABLES, rowOf } from './guards.ts';

/** Writes the tables of guards in the documents. Part of `npm run docs`. */

const DOCS = join(import.meta.dirname, '../../docs');

for (const { document, heading, guards } of GUARD_TABLES) {
  const path = join(DOCS, document);
  const text = readFileSync(path, 'utf8');
  const section = text.indexOf(`# ${heading}\n`);
  const start = text.indexOf('\n|', section) + 1;
  if (section === -1 || start === 0) throw new Error(`docs/${document} has no table under "${heading}"`);
  const after = text.slice(start).search(/\n(?!\|)/);
  const rows = guards.map(rowOf);
  const titles = Object.keys(rows[0] ?? {});
  const lines = [
    `| ${titles.join(' | ')} |`,
    `|${titles.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${titles.map((title) => cellOf(title, row[title] ?? '')).join(' | ')} |`),
  ];
  writeFileSync(path, text.slice(0, start) + lines.join('\n') + (after === -1 ? '\n' : text.slice(start + after)));
}

function cellOf(title: string, text: string): string {
  return title === 'without it' || title === 'behind it' ? text : `\`${text}\``;
}
