import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STORE = fileURLToPath(new URL('..', import.meta.url));

/** A function of the database, as its file has it. */
export interface SqlFunction {
  name: string;
  /** The file below `store`, with its folder. */
  file: string;
  /** What stands above it: what it decides, and why. */
  comment: string;
  /** Who may call it by name: a role of the runtime, or nobody but other functions and triggers. */
  callers: readonly ('server' | 'worker')[];
  /** Only processes of the version before call it: the next version may drop it. */
  isLeaving: boolean;
  isTrigger: boolean;
  /** Whether it acts in the name of the user whose token it is given the hash of. */
  asksForTokenHash: boolean;
  /** The arguments without names and defaults, as `to_regprocedure` reads them. */
  argumentTypes: string;
  /** The whole statement. */
  statement: string;
}

export interface SqlTrigger {
  name: string;
  table: string;
  /** All that makes it: where `create or replace` is refused it is dropped first, and it may be enabled in another way. */
  statements: string;
}

/** A file of `store/<subject>` with what is applied again at each migration: functions, then triggers. */
export interface SqlFile {
  file: string;
  functions: readonly SqlFunction[];
  triggers: readonly SqlTrigger[];
}

const FUNCTION = /((?:^--.*\n)*)^create (?:or replace )?function (\w+)\(([\s\S]*?)^(?:.*\$\$;|return\s[\s\S]*?;)$/gm;
const TRIGGER =
  /^(?:drop trigger if exists \w+ on \w+;\n)?create (?:or replace |constraint )trigger (\w+)\b[\s\S]*?\bon (\w+)[\s\S]*?;\n(?:alter table \w+ enable always trigger \w+;\n)?/gm;
const COMMENT = /^--.*$/gm;
const CALLERS = /^-- Called by: (.*)\.$/m;

/** The files of all subjects, in the order of their names. Throws where a function does not say who calls it. */
export function readSqlFiles(): readonly SqlFile[] {
  return readAll().filter(({ file }) => !file.startsWith('schema'));
}

/** Every function of the database, in the order of the names: also those that tables need, which are in `store/schema`. */
export function readSqlFunctions(): SqlFunction[] {
  return readAll()
    .flatMap(({ functions }) => functions)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

let all: readonly SqlFile[] | null = null;

/** Read once: what a process starts with is what it applies, compares and grants. */
function readAll(): readonly SqlFile[] {
  all ??= readdirSync(STORE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readSqlFile(file));
  return all;
}

function readSqlFile(file: string): SqlFile {
  const text = readFileSync(join(STORE, file), 'utf8');
  const functions = [...text.matchAll(FUNCTION)].map(([whole, header = '', name = '', head = '']) => {
    const callers = CALLERS.exec(header)?.[1];
    if (callers === undefined) throw new Error(`${file}: ${name} does not say who calls it ('-- Called by: …')`);
    return {
      name,
      file,
      comment: header.replace(CALLERS, '').replaceAll(/^-- ?/gm, '').trim().replaceAll('\n', ' '),
      callers: (['server', 'worker'] as const).filter((role) => new RegExp(`\\b${role}\\b`).test(callers)),
      isLeaving: /, until \d+\.\d+\.\d+$/.test(callers),
      isTrigger: /\breturns trigger\b/.test(whole),
      asksForTokenHash: /^\s*p_token_hash\b/.test(head),
      argumentTypes: argumentTypesOf(head),
      statement: whole.slice(header.length),
    };
  });
  const withoutFunctions = text.replaceAll(FUNCTION, '').replaceAll(COMMENT, '');
  const triggers = [...withoutFunctions.matchAll(TRIGGER)].map(([statements, name = '', table = '']) => ({
    name,
    table,
    statements,
  }));
  const rest = withoutFunctions.replaceAll(TRIGGER, '').trim();
  if (rest !== '' && !file.startsWith('schema')) throw new Error(`${file}: neither a function nor a trigger: ${rest}`);
  return { file, functions, triggers };
}

/** As `to_regprocedure` reads it. */
export function signatureOf({ name, argumentTypes }: SqlFunction): string {
  return `${name}(${argumentTypes})`;
}

/** From the text behind `function name(`. */
function argumentTypesOf(head: string): string {
  const types: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of head) {
    if (depth === 0 && (character === ',' || character === ')')) {
      types.push(current.replace(/\bdefault\b[\s\S]*$/, '').trim());
      current = '';
      if (character === ')') break;
    } else {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      current += character;
    }
  }
  return types
    .filter((type) => type !== '' && !/^out\s/.test(type))
    .map((type) => type.replace(/^(?:inout\s+)?\w+\s+/, ''))
    .join(', ');
}
