import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The rows of the table under a heading of a document in docs/, each as column title to text. */
export function tableUnder(document: string, heading: string): Record<string, string>[] {
  const [first] = tablesUnder(document, heading);
  if (first === undefined || first.length === 0) throw new Error(`docs/${document} has no table under "${heading}"`);
  return first;
}

/** The same of each table under the heading. */
export function tablesUnder(document: string, heading: string): Record<string, string>[][] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${document}`, import.meta.url)), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const tables = section.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return tables
    .filter((lines) => lines.length > 1)
    .map((lines) => {
      const [titles = [], , ...rows] = lines.map(cellsOf);
      return rows.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ''])));
    });
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}
