import { type DatabaseFunction, latestFunctions } from './database-functions.ts';
import { FUNCTION_PURPOSES } from './function-purposes.ts';
import { code, page, paragraph, table } from './markdown.ts';

export function databaseFunctionsPage(): string {
  const functions = latestFunctions();
  return page(
    'Functions of the database',
    paragraph(
      'The database decides who may do what. Each of its functions, what it is for, and the migration that has its latest',
      'text: an earlier text of the same function is no longer in force. [Security](security.md#functions) says which process',
      'may call which. A maker cannot approve their own run, for example, by `record_run_decision`.',
    ),
    paragraph(
      'Where `0026` is named as well, that migration changed the text by a regular expression: `settled_at` became `ended_at`,',
      '`payee_fingerprint` became `beneficiary_fingerprint`, `untold` became `notification_pending`, and `held_balances` became',
      '`balance_snapshots`. `select pg_get_functiondef(…)` shows a text as it is in force.',
    ),
    '## Called by name',
    functionTable(functions.filter(({ isTrigger }) => !isTrigger)),
    '## Called by triggers',
    'They apply to every role, whatever its rights.',
    functionTable(functions.filter(({ isTrigger }) => isTrigger)),
  );
}

function functionTable(functions: readonly DatabaseFunction[]): string {
  return table(
    ['function', 'what it is for', 'latest text'],
    functions.map((each) => [code(each.name), purposeOf(each), textOf(each)]),
  );
}

export function purposeOf({ name, comment }: DatabaseFunction): string {
  return FUNCTION_PURPOSES[name] ?? comment;
}

function textOf({ migration, renamedBy }: DatabaseFunction): string {
  const link = `[${migration.replace('.sql', '')}](../store/database/migrations/${migration})`;
  return renamedBy === null ? link : `${link}, names by ${renamedBy.slice(0, 4)}`;
}
