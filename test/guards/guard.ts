import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A safety check in the source, which is marked there (`guard: id`), and the test that fails without it. */
export interface Guard {
  /** Short and permanent: the tables in the documents use it as well. */
  id: string;
  /** What can happen without the check. */
  against: string;
  /** The marked lines without the check, without their indentation. */
  without: string;
  /** A part of test names in a file. Without the check, an assertion of at least one of these tests fails. */
  test: { file: string; name: string };
  /** What still prevents it without the check, if anything. */
  behind?: string;
}

/** The lines that a mark is for: those below it, but for other marks. */
export interface MarkedLines {
  /** Relative to the repository's root. */
  file: string;
  /** Index of the mark's line, and of the first line after those that it is for. */
  markedAt: number;
  end: number;
  text: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** `// guard: id`, or `-- guard: id, other-id (3 lines)`. Without a number, it is for the next line. */
const MARK = /^\s*(?:\/\/|--) guard: ([a-z0-9-]+(?:, [a-z0-9-]+)*)(?: \((\d+) lines\))?$/;

/** Every mark in the sources, by the guard's id. Throws where an id is marked twice. */
export function readMarks(root = ROOT): ReadonlyMap<string, MarkedLines> {
  const marked = new Map<string, MarkedLines>();
  const files = execFileSync('git', ['grep', '-lE', '(//|--) guard: ', '--', '*.ts', '*.tsx', '*.sql', ':!test'], {
    cwd: root,
  });
  for (const file of files.toString().trim().split('\n')) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    for (const [markedAt, line] of lines.entries()) {
      const [, ids, count = '1'] = MARK.exec(line) ?? [];
      for (const id of ids?.split(', ') ?? []) {
        if (marked.has(id)) throw new Error(`the guard ${id} is marked twice: ${file}:${markedAt + 1}`);
        marked.set(id, { file, markedAt, ...linesBelow(lines, markedAt, Number(count)) });
      }
    }
  }
  return marked;
}

function linesBelow(lines: readonly string[], markedAt: number, count: number): { end: number; text: string } {
  const below: string[] = [];
  let end = markedAt + 1;
  for (; below.length < count && end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    if (!MARK.test(line)) below.push(line);
  }
  return { end, text: below.join('\n') };
}

/** The source with `without` in place of the marked lines. */
export function sourceWithout(source: string, { markedAt, end, text }: MarkedLines, without: string): string {
  const lines = source.split('\n');
  const indentation = /^\s*/.exec(text)?.[0] ?? '';
  const instead = without.split('\n').map((line) => (line === '' ? line : indentation + line));
  return [...lines.slice(0, markedAt), ...instead, ...lines.slice(end)].join('\n');
}
