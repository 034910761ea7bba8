import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  Parser,
  Scalar,
  visit,
  type visitorFn,
} from 'yaml';
import { shownValue } from '../../domain/payment-file/row-problem.ts';
import { plainName } from './applicant-keys.ts';
import type { FormProblem } from './applicants-file.ts';
import type { ReadTree, TreeEntry, TreeValue } from './file-tree.ts';

/** An applicant has two levels. The composer calls itself for each level, so that deep nesting would end the process. */
const MAX_DEPTH = 16;

/**
 * Reads YAML with the line of every key and every scalar as the text that was written: `007`, `no` and `1990-12-31` are no
 * numbers, no truth values and no dates. What would change a value unseen is a problem: aliases, tags, and comments after a
 * value.
 */
export function readYamlTree(text: string): ReadTree {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (depthOf(tokens) > MAX_DEPTH) return unreadable([notYaml(1, 'it is nested too deeply')]);
  // Failsafe: every scalar is a text.
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  if (document === undefined) return { root: { kind: 'null' }, problems: [] };
  if (document.errors.length > 0) {
    // A quote that is not closed takes the lines after it into the value, so that the error is found far below.
    const open = openQuotes(text, tokens).map((at) => openQuote(lineAt(at)));
    if (open.length > 0) return unreadable(open);
    const lastLine = text.trimEnd().split('\n').length;
    return unreadable(
      document.errors.map(({ pos: [at], code }) =>
        notYaml(Math.min(lineAt(at), lastLine), code.toLowerCase().replaceAll('_', ' ')),
      ),
    );
  }
  if (second !== undefined) return unreadable([severalDocuments(lineAt(second.range[0]))]);
  const { contents } = document;
  return {
    root: contents === null ? { kind: 'null' } : valueOf(contents, lineAt),
    problems: problemsOf(document, lineAt),
  };
}

const unreadable = (problems: FormProblem[]): ReadTree => ({ root: null, problems });

/** Without recursion. */
function depthOf(tokens: readonly CST.Token[]): number {
  let deepest = 0;
  const open: [CST.Token | null | undefined, depth: number][] = tokens.map((token) => [token, 0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next;
    deepest = Math.max(deepest, depth);
    if (token?.type === 'document') open.push([token.value, depth]);
    else if (token !== null && token !== undefined && 'items' in token) {
      for (const { key, value } of token.items) open.push([key, depth + 1], [value, depth + 1]);
    }
  }
  return deepest;
}

/** Where quoted values begin that do not end on their line: an applicant has none of several lines. */
function openQuotes(text: string, tokens: readonly CST.Token[]): number[] {
  const found: number[] = [];
  const open: (CST.Token | null | undefined)[] = [...tokens];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null) continue;
    if (next.type === 'double-quoted-scalar' || next.type === 'single-quoted-scalar') {
      if (next.source.includes('\n') || !isClosed(next.source)) found.push(next.offset);
    } else if (next.type === 'document') open.push(next.value);
    else if ('items' in next) for (const { key, value } of next.items) open.push(key, value);
  }
  // Of those that follow on from each other, the first one is the mistake.
  return found
    .sort((a, b) => a - b)
    .slice(0, 1)
    .filter((at) => at < text.length);
}

const isClosed = (source: string): boolean => source.length > 1 && source.endsWith(source.charAt(0));

function openQuote(line: number): FormProblem {
  return {
    code: 'not_yaml',
    line,
    field: null,
    problem: 'this is not YAML: the quote that begins this value is not closed on its line',
    fix: 'close it at the end of the value; a value that begins with an apostrophe belongs into double quotes, as "\'t Hooft"',
  };
}

type LineAt = (offset: number) => number;

function valueOf(node: Node, lineAt: LineAt): TreeValue {
  if (isMap(node)) {
    const entries = node.items.flatMap(({ key, value }): TreeEntry[] => {
      if (!isScalar(key)) return [];
      return [
        {
          key: String(key.value),
          line: lineAt(key.range?.[0] ?? 0),
          value: isNode(value) ? valueOf(value, lineAt) : { kind: 'null' },
        },
      ];
    });
    return { kind: 'group', entries };
  }
  if (!isScalar(node)) return isAlias(node) ? { kind: 'null' } : { kind: 'list' };
  const text = String(node.value);
  const isNull = node.type === Scalar.PLAIN && ['', '~', 'null', 'Null', 'NULL'].includes(text);
  return isNull ? { kind: 'null' } : { kind: 'text', text };
}

/** What YAML would resolve or drop without being seen. */
function problemsOf(document: Document, lineAt: LineAt): FormProblem[] {
  const problems: FormProblem[] = [];
  visit(document, {
    Pair: (_key, { key }) => {
      if (isScalar(key)) return;
      const at = isNode(key) ? lineAt(key.range?.[0] ?? 0) : 1;
      problems.push({ code: 'not_an_applicant', line: at, field: null, ...KEY_IS_NO_TEXT });
    },
    Node: (_key, node, path) => {
      const place = { line: lineAt(node.range?.[0] ?? 0), field: fieldAt(path) };
      if (isAlias(node) || (node.anchor ?? '') !== '') {
        problems.push({ code: 'yaml_alias', ...place, ...ALIAS });
      }
      if (node.tag !== undefined) problems.push({ code: 'yaml_tag', ...place, ...TAG });
      if (isScalar(node) && node.type === Scalar.PLAIN && (node.comment ?? null) !== null) {
        problems.push({ code: 'comment_after_value', ...place, ...COMMENT });
      }
    },
  });
  return problems;
}

/** The keys that lead to a node, as `documents.passport`; null: none does. */
function fieldAt(path: Parameters<visitorFn<Node>>[2]): string | null {
  const keys = path.flatMap((node) => (isPair(node) && isScalar(node.key) ? plainName(String(node.key.value)) : []));
  return keys.length === 0 ? null : shownValue(keys.join('.'));
}

const KEY_IS_NO_TEXT = { problem: 'a key is not a text', fix: 'write one key: value on each line' };

const ALIAS = {
  problem: 'the value refers to another place of the file',
  fix: 'write the value itself, in quotes if it begins with & or *',
};

const TAG = {
  problem: 'the value has a type; every value is read as text',
  fix: 'remove the type, or put a value that begins with ! in quotes',
};

const COMMENT = {
  problem: 'what follows the # after this value is a comment, and would be lost',
  fix: 'put the whole value in quotes, or the comment on its own line',
};

function notYaml(line: number, why: string): FormProblem {
  return {
    code: 'not_yaml',
    line,
    field: null,
    problem: `this is not YAML (${why})`,
    fix: 'put a value with a colon, or one that begins with a special character, in quotes; indent with blanks, not tabs',
  };
}

function severalDocuments(line: number): FormProblem {
  return {
    code: 'several_applicants',
    line,
    field: null,
    problem: 'the file has more than one document',
    fix: 'submit one applicant in each file, or use a CSV for many',
  };
}
