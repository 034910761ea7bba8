import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACCOUNTS_FILE_EXAMPLE } from '../../config/account-descriptions.ts';
import { readAccountsFile } from '../../config/accounts-file.ts';
import { PAYMENT_ERRORS } from '../../domain/payments/payment-error-codes.ts';
import { latestFunctions } from '../../references/database-functions.ts';
import { purposeOf } from '../../references/database-functions-page.ts';
import { FUNCTION_PURPOSES } from '../../references/function-purposes.ts';
import { REFERENCE_PAGES } from '../../references/pages.ts';
import { STATE_FUNCTION_FILES } from '../../references/state-functions.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { errorCodesInSql, storeSources } from './sql-error-codes.ts';

describe('the reference pages', () => {
  test.each(Object.entries(REFERENCE_PAGES))('docs/%s is as `npm run docs` writes it', (file, page) => {
    expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(page());
  });

  test('the example of payrun.yaml is accepted', () => {
    const file = join(temporaryFolder(), 'payrun.yaml');
    writeFileSync(file, ACCOUNTS_FILE_EXAMPLE);
    expect(Object.keys(readAccountsFile(file).accounts)).toEqual(['europe', 'asia']);
  });
});

test.each(Object.entries(STATE_FUNCTION_FILES))('%s is as `npm run docs` writes it', (file, functions) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toBe(functions());
});

describe('the functions of the database', () => {
  test('each have a purpose, and no purpose is of a function that does not exist', () => {
    const functions = latestFunctions();
    expect(functions.filter((each) => purposeOf(each) === '').map(({ name }) => name)).toEqual([]);
    const names = functions.map(({ name }) => name);
    expect(Object.keys(FUNCTION_PURPOSES).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('are in the migration that has their latest text', () => {
    const textOf = (name: string) => {
      const { migration, renamedBy } = latestFunctions().find((each) => each.name === name) ?? {};
      return [migration, renamedBy];
    };
    expect(textOf('lift_stop')).toEqual(['0028_decisions-by-account.sql', null]);
    // Another function took the place of the one that was renamed, which a later migration replaced.
    expect(textOf('record_run_decision')).toEqual(['0044_console.sql', null]);
    expect(textOf('decide_run')).toEqual(['0054_sign-in-under-attack.sql', null]);
    expect(textOf('cancel_unsent')).toEqual(['0017_answers.sql', '0026_names.sql']);
    expect(textOf('refuse_change')).toEqual(['0001_payment-runs.sql', null]);
  });
});

describe('error codes that SQL writes, which the compiler does not see, are in docs/errors.md', () => {
  test.each([
    [
      'in functions of the database',
      () => latestFunctions().map(({ body }) => body),
      ['withdrawn', 'run_cancelled', 'created_not_funded'],
    ],
    [
      'in statements of the store',
      storeSources,
      ['not_confirmed', 'funds_not_received_in_time', 'row_ref_used_before'],
    ],
  ])('%s', (_where, textsOf, someOfThem) => {
    const codes = textsOf().flatMap(errorCodesInSql);
    expect(codes).toEqual(expect.arrayContaining(someOfThem));
    expect(codes.filter((code) => !(code in PAYMENT_ERRORS))).toEqual([]);
  });
});
