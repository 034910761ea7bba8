import { expect, test } from 'vitest';
import { CSV_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { readPage } from './document-pages.ts';

const NEEDS = {
  always: 'always',
  with_details: 'with details',
  by_requirements: 'by requirements',
  optional: '',
} as const;

test('the page of the payment file has every column as the code has it', () => {
  const rows = readPage('docs/payment-file.md')
    .split('\n')
    .map((line) => line.split(/\s*(?<!\\)\|\s*/u).slice(1, 5))
    .filter(([name, need]) => name?.startsWith('`') && Object.values<string>(NEEDS).includes(need ?? ''));
  expect(rows).toEqual(
    CSV_COLUMNS.map(({ name, need, example, description }) => [
      `\`${name}\``,
      NEEDS[need],
      `\`${example}\``,
      description,
    ]),
  );
});
