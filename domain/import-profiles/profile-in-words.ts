import type { AmountForm, ColumnSource, DateForm } from './profile.ts';

/** What fills a column: headers, or a text for every row, and what is done with it. */
export function sourceInWords({ from, part, constant, prefix, translate }: ColumnSource): string {
  const headers = from.map((name) => `"${name}"`).join(' and ');
  if (from.length === 0) return `"${constant ?? ''}" in every row`;
  const steps = [
    ...(part === null ? [] : [`its ${part.replaceAll('_', ' ')}`]),
    ...(prefix === '' ? [] : [`after "${prefix}"`]),
    ...(Object.keys(translate).length === 0 ? [] : ['translated']),
    ...(constant === null ? [] : [`"${constant}" where it is empty`]),
  ];
  return [headers, ...steps].join(', ');
}

/** `1.234,56`: how 1234.56 is written in this form. */
export function exampleAmount({ groupSeparator, decimalSign }: AmountForm): string {
  return `1${groupSeparator}234${decimalSign}56`;
}

/** `31.12.2026`: how 31 December 2026 is written in this form. */
export function exampleDate({ order, yearDigits }: DateForm): string {
  const year = yearDigits === 2 ? '26' : '2026';
  return { ymd: `${year}-12-31`, dmy: `31.12.${year}`, mdy: `12/31/${year}` }[order];
}

export const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};
