import { readSqlFunctions, type SqlFunction } from '../store/database/sql-files.ts';
import { code, page, paragraph, table } from './markdown.ts';

export function databaseFunctionsPage(): string {
  const functions = readSqlFunctions();
  const isCalled = ({ callers }: SqlFunction): boolean => callers.length > 0;
  return page(
    'Functions of the database',
    paragraph(
      'The database decides who may do what. Here is each of its functions, with what it decides and its file in `store`. They have a',
      "fixed search path, and run with the owner's rights unless they only read. Those that change something in a user's name require",
      'the hash of a token, and record what they did or refused. A maker cannot approve their own run, for example, by',
      '`authorize_run_decision`.',
    ),
    '## Called by processes',
    'What [the role](security.md#database-roles-and-tables) of a process may call; nothing else is allowed.',
    table(
      ['function', 'asks for a token hash', 'payrun_server', 'payrun_worker', 'what it decides', 'file'],
      functions
        .filter(isCalled)
        .map((each) => [
          code(each.name),
          each.asksForTokenHash ? 'yes' : 'no',
          each.callers.includes('server') ? 'yes' : '–',
          each.callers.includes('worker') ? 'yes' : '–',
          each.comment,
          fileOf(each),
        ]),
    ),
    '## Called by other functions',
    functionTable(functions.filter((each) => !isCalled(each) && !each.isTrigger)),
    '## Called by triggers',
    'They apply to every role, whatever its rights.',
    functionTable(functions.filter(({ isTrigger }) => isTrigger)),
  );
}

function functionTable(functions: readonly SqlFunction[]): string {
  return table(
    ['function', 'what it decides', 'file'],
    functions.map((each) => [code(each.name), each.comment, fileOf(each)]),
  );
}

function fileOf({ file }: SqlFunction): string {
  return `[${file}](../store/${file})`;
}
