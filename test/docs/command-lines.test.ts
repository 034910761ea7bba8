import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../client/cli/program.ts';
import { addServiceCommands } from '../../operations/service-commands.ts';
import { brokenLinksOf, commandLinesIn, PAGES, readPage, ROOT } from './document-pages.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** What readers replace, where the command accepts only certain values. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { ROLE: 'checker', N: '1' };

/** The whole program, which parses command lines and does nothing. Each line begins with no options of the one before. */
const program = idleProgram();

function idleProgram(): Command {
  const silent = { write: () => true };
  const io = { env: {}, cwd: ROOT, isTty: false, stdin: null, stdout: silent, stderr: silent } as never;
  const built = buildProgram(io);
  addServiceCommands(built, io);
  disarm(built);
  return built;
}

function disarm(command: Command): void {
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (!isGroup) command.action(() => undefined);
  command.commands.forEach(disarm);
}

/** Why payrun refuses the arguments, or null. */
function refusalOf(args: readonly string[]): string | null {
  try {
    program.parse(
      args.map((word) => PLACEHOLDERS[word] ?? word),
      { from: 'user' },
    );
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) return String(error);
    return error.exitCode === 0 ? null : error.message;
  }
}

/** Why npm refuses the arguments, or null. A script that is payrun itself passes on what follows `--`. */
function refusalOfNpm([command = '', ...rest]: readonly string[]): string | null {
  const name = command === 'run' ? rest.find((word) => !word.startsWith('-')) : command;
  if (command !== 'run' && command !== 'test') return null;
  const script = scripts[name ?? ''];
  if (script === undefined) return `package.json has no script ${String(name)}`;
  const own = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  if (!script.startsWith('bin/payrun ')) return null;
  return refusalOf([...script.split(' ').slice(1), ...own]);
}

function refusalOfLine([name = '', ...args]: readonly string[]): string | null {
  if (name === 'npm') return refusalOfNpm(args);
  if (name !== 'npx') return refusalOf(args);
  return args[0] === 'payrun' ? refusalOf(args.slice(1)) : null;
}

describe('the documents', () => {
  const withCommands = PAGES.filter((page) => commandLinesIn(readPage(page)).length > 0);

  it.each(withCommands)('%s shows only command lines that are accepted', (page) => {
    const refused = commandLinesIn(readPage(page)).flatMap(({ line, text, words }) => {
      const refusal = refusalOfLine(words);
      return refusal === null ? [] : [`${page}:${line}: ${text}: ${refusal}`];
    });
    expect(refused).toEqual([]);
  });

  it.each(PAGES)('%s links only to what exists', (page) => {
    expect(brokenLinksOf(page)).toEqual([]);
  });

  it('begin with a README of at most 120 lines', () => {
    expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });
});

describe('the check of command lines', () => {
  it('finds them in code blocks, without comments, assignments and redirections', () => {
    const text = [
      'Text: payrun nonsense',
      '',
      '    PAYRUN_HOME=/srv payrun policy show --json > policy.json   # the policy',
      '    npm ci && npm run demo',
      '    payrun login < code.txt',
      '    payrun audit [options] [run]',
      '',
      '```bash',
      '$ payrun stop RUN --reason "wrong month"',
      '```',
    ].join('\n');
    expect(commandLinesIn(text).map(({ line, words }) => [line, ...words])).toEqual([
      [3, 'payrun', 'policy', 'show', '--json'],
      [4, 'npm', 'ci'],
      [4, 'npm', 'run', 'demo'],
      [5, 'payrun', 'login'],
      [9, 'payrun', 'stop', 'RUN', '--reason', 'wrong month'],
    ]);
  });

  it.each([
    ['an unknown command', ['payrun', 'pay', 'RUN']],
    ['an unknown option', ['payrun', 'show', 'RUN', '--everything']],
    ['a missing argument', ['payrun', 'approve']],
    ['a missing option', ['payrun', 'reject', 'RUN']],
    ['too many arguments', ['payrun', 'show', 'RUN', 'RUN']],
    ['an unknown script', ['npm', 'run', 'nonsense']],
    ['an unknown option of a script that is payrun', ['npm', 'run', 'demo', '--', '--nonsense']],
  ])('refuses %s', (_, words) => {
    expect(refusalOfLine(words)).not.toBeNull();
  });

  it('takes no option of one line for another', () => {
    expect(refusalOfLine(['payrun', 'reject', 'RUN', '--comment', 'wrong month'])).toBeNull();
    expect(refusalOfLine(['payrun', 'reject', 'RUN'])).not.toBeNull();
  });
});
