import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The documents for readers, with the command lines, headings and links in them. */

export const ROOT = resolve(import.meta.dirname, '..', '..');

/** Paths relative to the repository. */
export const PAGES: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'examples/README.md', 'bench/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export interface CommandLine {
  /** From 1. */
  line: number;
  text: string;
  /** Without assignments before the command, and without redirections after it. */
  words: string[];
}

const PROGRAMS = ['payrun', 'bin/payrun', 'npx', 'npm'];
const SHELL_FENCES = ['', 'bash', 'sh'];

/** The command lines of payrun and npm in the code blocks of a text; usage lines with placeholders in brackets are none. */
export function commandLinesIn(text: string): CommandLine[] {
  return shellLinesIn(text).flatMap(({ line, text: shown }) =>
    segmentsOf(shown.replace(/^\$ /, ''))
      .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
      .filter(([program = '', ...rest]) => PROGRAMS.includes(program) && !rest.includes('[options]'))
      .map((words) => ({ line, text: shown, words })),
  );
}

/** The text from a heading to the next one of the same or a higher level. */
export function sectionOf(page: string, heading: string): string {
  const lines = readPage(page).split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start < 0) throw new Error(`${page} has no heading "${heading}"`);
  const level = lines[start]?.indexOf(' ') ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}

function shellLinesIn(text: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let fence: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^\s*```(\w*)/.exec(line);
    if (mark !== null) fence = fence === null ? (mark[1] ?? '') : null;
    else if (fence === null ? /^ {4}/.test(line) : SHELL_FENCES.includes(fence)) {
      const before = found.at(-1);
      if (before?.text.endsWith('\\') === true) before.text = `${before.text.slice(0, -1)}${line.trim()}`;
      else found.push({ line: index + 1, text: line.trim() });
    }
  }
  return found;
}

const TOKEN = /"([^"]*)"|'([^']*)'|(&&|\|\|?|;|#(?=\s)|\d?>>?|<)|[^\s"';|<]+/g;

/** The commands of a line, each as its words. A comment ends the line. */
function segmentsOf(line: string): string[][] {
  const segments: string[][] = [[]];
  let isRedirected = false;
  for (const match of line.matchAll(TOKEN)) {
    const [whole, double, single, operator] = match;
    if (operator === '#') break;
    if (operator !== undefined) {
      isRedirected = /[<>]/.test(operator);
      if (!isRedirected) segments.push([]);
    } else if (!isRedirected) segments.at(-1)?.push(double ?? single ?? whole);
  }
  return segments;
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): string[] {
  return withoutFences(readPage(page))
    .split('\n')
    .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])
    .map((heading) => {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      return plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    });
}

/** What is wrong with the links of a page to other pages, each as one line. */
export function brokenLinksOf(page: string): string[] {
  const text = withoutFences(readPage(page)).replace(/`[^`]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .flatMap((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), file));
      if (!existsSync(join(ROOT, target))) return [`${link}: there is no such file`];
      if (anchor === undefined || anchorsOf(target).includes(anchor)) return [];
      return [`${link}: ${target} has no such heading`];
    });
}

function withoutFences(text: string): string {
  return text.replace(/^\s*```[\s\S]*?^\s*```/gm, '');
}
