import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACCOUNTS_FILE_EXAMPLE } from '../../config/account-descriptions.ts';
import { readAccountsFile } from '../../config/accounts-file.ts';
import { PAYMENT_ERRORS } from '../../domain/payments/payment-error-codes.ts';
import { REFERENCE_PAGES } from '../../references/pages.ts';
import { STATE_FUNCTION_FILES } from '../../references/state-functions.ts';
import { readSqlFunctions } from '../../store/database/sql-files.ts';
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

test('each function of the database says what it decides', () => {
  const functions = readSqlFunctions();
  expect(functions.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([]);
});

describe('error codes that SQL writes, which the compiler does not see, are in docs/errors.md', () => {
  test.each([
    [
      'in functions of the database',
      () => readSqlFunctions().map(({ statement }) => statement),
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
