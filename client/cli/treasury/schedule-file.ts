import { resolve } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { ScheduleRefusedError, type WrittenSchedule } from '../../sdk/index.ts';
import { WrongInput } from '../exit-code.ts';
import { readBytes } from '../runs/input-files.ts';

export interface ScheduleFile {
  content: WrittenSchedule;
  /** The line of a field such as `sources.0.min_order`, or of what it is missing in; from 1. */
  lineOf: (field: string) => number;
}

/** A schedule as YAML, or as JSON, which is YAML as well. Throws WrongInput that names the file and the line. */
export async function readScheduleFile(cwd: string, path: string): Promise<ScheduleFile> {
  const text = Buffer.from(await readBytes(resolve(cwd, path), path)).toString('utf8');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new WrongInput(`${path}, line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
  // A schedule repeats nothing; with aliases a small file can become a large one.
  const content = contentOf(path, () => document.toJS({ maxAliasCount: 0 }) as unknown);
  const lineOf = (field: string): number => {
    const place = field.split('.');
    for (let length = place.length; length > 0; length -= 1) {
      const node = document.getIn(place.slice(0, length).map(keyOf), true);
      if (isNode(node) && node.range !== null && node.range !== undefined) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  return { content, lineOf };
}

function contentOf(path: string, read: () => unknown): WrittenSchedule {
  let content: unknown;
  try {
    content = read();
  } catch {
    throw new WrongInput(`${path}: a value refers to another place of the file: write the value itself`);
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
    return content;
  }
  throw new WrongInput(`${path}: give one schedule, with a line for each key, as "kind: sweep"`);
}

function keyOf(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part;
}

/** The refusal with the lines of the file; any other error as it is. */
export function withLines(error: unknown, { lineOf }: Pick<ScheduleFile, 'lineOf'>): unknown {
  if (!(error instanceof ScheduleRefusedError)) return error;
  const problems = error.problems.map((problem) => ({ ...problem, line: lineOf(problem.field) }));
  return new ScheduleRefusedError(error.message, problems);
}
