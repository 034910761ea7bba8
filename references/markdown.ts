/** The pieces of a Markdown page. */

export function page(title: string, ...parts: readonly string[]): string {
  return `${[GENERATED, `# ${title}`, ...parts].join('\n\n')}\n`;
}

const GENERATED = '<!-- Written by `npm run docs` from the code: change it there, not here. -->';

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(inCell).join(' | ')} |`);
  return lines.join('\n');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function codeList(names: readonly string[]): string {
  return names.map(code).join(', ');
}

/** An indented block, shown as it is. */
export function block(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
}

/** One paragraph of several sentences. */
export function paragraph(...sentences: readonly string[]): string {
  return sentences.join(' ');
}
