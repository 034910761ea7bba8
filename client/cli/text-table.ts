import { printable } from './printable.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
  /** Longer cells are cut. */
  maxWidth?: number;
}

const GAP = '  ';

/** A table in plain text. It makes every cell safe for terminals, so that no caller can forget to. */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => columns.map((column, index) => fit(printable(row[index] ?? ''), column.maxWidth)));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  );
  const lines = [columns.map(({ title }) => title), ...cells].map((row) =>
    columns
      .map((column, index) => pad(row[index] ?? '', widths[index] ?? 0, column.align ?? 'left'))
      .join(GAP)
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Terminal columns: two for wide East Asian letters, none for combining marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** The text; if longer than the width, cut and marked with an ellipsis. */
export function fit(text: string, maxWidth = Infinity): string {
  if (displayWidth(text) <= maxWidth) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > maxWidth - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + space : space + text;
}
