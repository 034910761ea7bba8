import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeRunningInstance } from '../../config/running-instance.ts';
import { readPage } from '../docs/document-pages.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

test('the command of docs/backup.md finds the address of the embedded database, as its owner', () => {
  const [, script = ''] = /DATABASE=\$\(node -p "([^"]+)"\)/.exec(readPage('docs/backup.md')) ?? [];
  const folder = temporaryFolder();
  const home = join(folder, '.payrun');
  mkdirSync(join(home, 'postgres'), { recursive: true });
  writeFileSync(join(home, 'postgres', 'postgres-password'), '0ffe\n');
  const workerDatabaseUrl = 'postgres://payrun_worker_login:1@127.0.0.1:20001/payrun';
  writeRunningInstance(home, { workerDatabaseUrl }, Date.now);
  const address = execFileSync(process.execPath, ['-p', script], { cwd: folder, encoding: 'utf8' });
  expect(address.trim()).toBe('postgres://payrun:0ffe@127.0.0.1:20001/payrun');
});
