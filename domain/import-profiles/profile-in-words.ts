import type { AmountForm, ColumnSource } from './profile.ts';

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

/** How 1234.56 is written. */
export function exampleAmount({ groupSeparator, decimalSign }: AmountForm): string {
  return `1${groupSeparator}234${decimalSign}56`;
}
