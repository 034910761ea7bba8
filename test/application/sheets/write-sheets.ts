import { workbookOf } from './make-workbook.ts';

export interface CsvStyle {
  delimiter: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  hasMark: boolean;
  lineEnd: string;
  /** Whether cells are quoted that need not be. */
  quotesAll: boolean;
  hasSeparatorLine: boolean;
  endsWithLineEnd: boolean;
}

/** As spreadsheet programs write it. */
export function csvBytes(table: readonly (readonly string[])[], style: CsvStyle): Buffer {
  const { delimiter, lineEnd, quotesAll } = style;
  // A line that is empty would be none.
  const quoted = (cell: string, isAlone: boolean): string =>
    quotesAll || (isAlone && cell === '') || [delimiter, '"', '\r', '\n'].some((mark) => cell.includes(mark))
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  const lines = table.map((row) => row.map((cell) => quoted(cell, row.length === 1)).join(delimiter));
  if (style.hasSeparatorLine) lines.unshift(`sep=${delimiter}`);
  const text = lines.join(lineEnd) + (style.endsWithLineEnd ? lineEnd : '');
  return encoded((style.hasMark ? '\ufeff' : '') + text, style.encoding);
}

function encoded(text: string, encoding: CsvStyle['encoding']): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Texts as a workbook has them: in its cells, or beside all sheets. */
export function xlsxBytes(table: readonly (readonly (string | number)[])[], isShared: boolean): Buffer {
  const strings: string[] = [];
  const cellOf = (cell: string | number): string => {
    if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
    const text = `<t xml:space="preserve">${escaped(cell)}</t>`;
    if (!isShared) return `<c t="inlineStr"><is>${text}</is></c>`;
    strings.push(`<si>${text}</si>`);
    return `<c t="s"><v>${strings.length - 1}</v></c>`;
  };
  const rows = table.map((row) => `<row>${row.map(cellOf).join('')}</row>`).join('');
  return workbookOf({ sheets: { Sheet1: `<sheetData>${rows}</sheetData>` }, strings: strings.join('') });
}

/** Characters that XML cannot have, and texts that look like their numbers, are written as numbers. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\u0000-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (character) => {
        return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
      },
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
