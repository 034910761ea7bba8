import type { ReadTree, TreeEntry, TreeValue } from './file-tree.ts';

/** An applicant has two levels. */
const MAX_DEPTH = 16;

/** Blanks, then one token, or none at the end of the text. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b)|$)/uy;

/** Reads JSON with the line of every key, numbers as they are written, and repeated keys each by itself. */
export function readJsonTree(text: string): ReadTree {
  const reader = new JsonReader(text);
  try {
    return { root: reader.readAll(), problems: [] };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const fix = 'correct this line, or write YAML or a CSV';
    return { root: null, problems: [{ code: 'not_json', line: error.line, field: null, problem: error.message, fix }] };
  }
}

class NotJson extends Error {
  readonly line: number;

  constructor(line: number, problem: string) {
    super(problem);
    this.line = line;
  }
}

class JsonReader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): TreeValue {
    const value = this.#value(this.#token(), 0);
    if (this.#token() !== '') throw this.#problem('the text goes on after the last bracket');
    return value;
  }

  /** The next token; the empty text at the end. */
  #token(): string {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    const blanks = /^[ \t\r\n]*/.exec(found?.[0] ?? this.#text.slice(this.#at))?.[0] ?? '';
    this.#line += blanks.split('\n').length - 1;
    if (found === null) throw this.#problem('this is not JSON');
    this.#at += found[0].length;
    return found[0].slice(blanks.length);
  }

  #value(token: string, depth: number): TreeValue {
    if (depth > MAX_DEPTH) throw this.#problem('the brackets are nested too deeply');
    if (token === '{') return { kind: 'group', entries: this.#members(depth) };
    if (token === '[') return this.#list(depth);
    if (token === 'null') return { kind: 'null' };
    if (token.startsWith('"')) return { kind: 'text', text: textOf(token) };
    if (/^[\w-]/.test(token)) return { kind: 'text', text: token };
    throw this.#problem(token === '' ? 'the file ends before its last bracket' : 'a value is missing');
  }

  #members(depth: number): TreeEntry[] {
    const entries: TreeEntry[] = [];
    let token = this.#token();
    if (token === '}') return entries;
    for (;;) {
      if (!token.startsWith('"')) throw this.#problem('a key in double quotes is missing');
      const line = this.#line;
      if (this.#token() !== ':') throw this.#problem('a colon is missing after a key');
      entries.push({ key: textOf(token), line, value: this.#value(this.#token(), depth + 1) });
      const next = this.#token();
      if (next === '}') return entries;
      if (next !== ',') throw this.#problem('a comma or a closing bracket is missing');
      token = this.#token();
    }
  }

  /** A list is no part of an applicant: only its form is read. */
  #list(depth: number): TreeValue {
    let token = this.#token();
    if (token === ']') return { kind: 'list' };
    for (;;) {
      this.#value(token, depth + 1);
      const next = this.#token();
      if (next === ']') return { kind: 'list' };
      if (next !== ',') throw this.#problem('a comma or a closing bracket is missing');
      token = this.#token();
    }
  }

  #problem(problem: string): NotJson {
    return new NotJson(this.#line, problem);
  }
}

const textOf = (token: string): string => JSON.parse(token) as string;
