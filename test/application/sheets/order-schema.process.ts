import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { schemaValidator } from '../../reconciliation/schema-validator.ts';
import { anOrder } from './an-order.ts';

test.each([
  ['nordic.xml', 'pain.001.001.03'],
  ['american.xml', 'pain.001.001.03'],
  ['dutch.xml', 'pain.001.001.03'],
  ['german.xml', 'pain.001.001.09'],
  ['swiss.xml', 'pain.001.001.09'],
] as const)('%s, which is read in tests, is valid by the schema of %s', (name, message) => {
  expect(schemaValidator(message)(readFileSync(new URL(`orders/${name}`, import.meta.url)))).toBe('');
});

test.each(['03', '09'] as const)('orders that tests make are valid by the schema of version %s', (version) => {
  expect(schemaValidator(`pain.001.001.${version}`)(anOrder({ version }))).toBe('');
});
