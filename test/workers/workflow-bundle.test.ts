import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOfWorkflows } from '../../workers/workflow-bundle.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

test('a change in a subfolder of the domain changes the version of the workflows', () => {
  const copy = temporaryFolder();
  for (const folder of ['workflows', 'domain']) cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  expect(versionOfWorkflows(copy)).toBe(versionOfWorkflows());
  writeFileSync(join(copy, 'domain/payments/payment-state.ts'), '// changed');
  expect(versionOfWorkflows(copy)).not.toBe(versionOfWorkflows());
});
