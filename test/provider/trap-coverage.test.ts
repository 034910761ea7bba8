import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The places where the contract is easily misread, by the numbers in the names of their tests (`trap 7: …`). */
const TRAPS: Readonly<Record<number, string>> = {
  1: 'the token goes without Bearer',
  2: "a refund's event names the payment's resource",
  3: 'the status of a refund is in its event alone, and the payment in its record alone',
  4: 'a funded conversion still awaits funds',
  5: 'the beneficiary is in the quote and not in the creation',
  6: 'no beneficiary is null, and written',
  7: 'totalFees of a conversion, totalFee of a payment',
  8: 'three spellings of cut-off times',
  9: 'balances are found by GET',
  10: 'some lists are bare, some are in value',
  11: 'missing_fields among camelCase names',
  12: 'a company goes by its accountId, which a sign-up does not show',
  13: 'an update of a company is whole, one of a user in part',
  14: 'a company is frozen once its screening has begun',
  15: 'an expiry date is needed only where a document has one',
  16: 'a deleted document is named documentId',
  17: 'words for countries, postcodes and states differ by area',
  18: 'pages are asked for in brackets',
  19: 'the end of a range is not in it',
  20: 'a funding method is always needed',
  21: 'four references of a payment',
  22: 'failureReason in the payment, reason in its event',
  23: 'a transaction id is a number here and a text there',
  24: 'people are numbers with virtual accounts',
  25: '"Creating..." is no account number',
  26: 'two names of the number of a virtual account',
  27: "a partner's fee is an amount, the markup a percentage",
  28: 'bank charges come with SWIFT-OUR only',
  29: 'the fixed side has a default for payments only',
  30: 'an upload carries no credential',
  31: 'files before the quote, the quote just before the creation',
  32: 'deprecated fields still come',
  33: 'limit and token are one for all workers',
  34: 'an industry is not a type of business',
  35: 'documents that are not mentioned may be needed',
  36: 'amounts that went through floats, and currencies without decimals',
  37: 'bank codes are null, other fields absent',
  38: 'an older sign-up answers secrets',
  39: 'a deposit may be reported as a funding too',
  40: 'events come late, twice, in disorder or forged',
};

const folder = fileURLToPath(new URL('..', import.meta.url));

const testFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(test|services|e2e)\.ts$/.test(name),
);

/** The numbers in the names of tests, apart from skipped ones (`test.skip`). */
const named = new Set(
  testFiles
    .flatMap((name) => [
      ...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/(?:\btest\(|\)\(|^\s+)['"`]trap (\d+): /gm),
    ])
    .map(([, number]) => Number(number)),
);

test('every trap of the contract has a test with its number, and no test has an unknown number', () => {
  const missing = Object.entries(TRAPS).filter(([number]) => !named.has(Number(number)));
  expect(missing).toEqual([]);
  expect([...named].filter((number) => !(number in TRAPS))).toEqual([]);
});
