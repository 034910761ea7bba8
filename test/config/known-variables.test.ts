import { expect, test } from 'vitest';
import { unknownVariables } from '../../config/known-variables.ts';

test.each([
  ['PAYRUN_REQUEST_PER_SECOND', 'PAYRUN_REQUESTS_PER_SECOND'],
  ['PAYRUN_HOMES', 'PAYRUN_HOME'],
  ['PAYRUN_API_KEYFILE', 'PAYRUN_API_KEY_FILE'],
])('%s is refused, with the name that was probably meant', (name, meant) => {
  expect(unknownVariables({ [name]: '1' })).toEqual([`${name}: payrun has no such variable: did you mean ${meant}?`]);
});

test('a name that is near to none is refused without a guess', () => {
  expect(unknownVariables({ PAYRUN_XYZXYZXYZ: '1' })).toEqual(['PAYRUN_XYZXYZXYZ: payrun has no such variable']);
});

test('names of others, those of the command line, and empty ones are fine', () => {
  const variables = {
    PATH: '/bin',
    PGHOST: 'x',
    PAYRUN_URL: 'x',
    PAYRUN_TOKEN: 'x',
    PAYRUN_AS: 'x',
    PAYRUN_HOME: 'x',
    PAYRUN_TEMPORAL_CLI: 'x',
    PAYRUN_WEBHOOK_HEADERS_FILE: 'x',
    PAYRUN_OTHER: '',
    PAYRUN_UNSET: undefined,
  };
  expect(unknownVariables(variables)).toEqual([]);
});
