import { readFileSync } from 'node:fs';
import type { ColumnPart, CsvColumn } from '../domain/payment-file/csv-column.ts';
import { CSV_COLUMNS } from '../domain/payment-file/csv-columns.ts';
import { code, table } from './markdown.ts';

const PAGE = new URL('../docs/payment-file.md', import.meta.url);

/** In the order of the page. */
const PARTS: readonly ColumnPart[] = ['payment', 'beneficiary', 'bankAccount', 'intermediaryBank'];

const TITLES = ['column', 'need', 'example', 'what it holds'] as const;
const TABLES = /^\| column +\| need .*\n(?:\|.*\n)+/gm;

const NEEDS: Readonly<Record<CsvColumn['need'], string>> = {
  always: 'always',
  with_details: 'with details',
  by_requirements: 'by requirements',
  optional: '',
};

/** The page is written by people; its tables of columns are those of the code. */
export function paymentFilePage(): string {
  const parts = [...PARTS];
  return readFileSync(PAGE, 'utf8').replaceAll(TABLES, () => {
    const part = parts.shift();
    const columns = CSV_COLUMNS.filter((column) => column.part === part);
    return `${table(
      TITLES,
      columns.map(({ name, need, example, description }) => [code(name), NEEDS[need], code(example), description]),
    )}\n`;
  });
}
