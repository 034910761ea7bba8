import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assertEditsApply } from '../upgrade/next-version.ts';

test('the next version that `npm run test:upgrade` makes up can still be made', () => {
  expect(() => assertEditsApply(resolve(import.meta.dirname, '../..'))).not.toThrow();
});
