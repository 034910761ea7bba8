import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { serviceFile } = createRequire(import.meta.url)('../../bin/bundle.cjs') as {
  serviceFile: (root: string, name: string) => string | null;
};

let root: string;
const write = (file: string, text: string, seconds: number): void => {
  writeFileSync(join(root, file), text);
  utimesSync(join(root, file), seconds, seconds);
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'payrun-bundle-'));
  mkdirSync(join(root, 'dist/services'), { recursive: true });
  write('a.ts', '', 1_000);
  write('b.ts', '', 1_000);
  write('dist/services/inputs.json', '["a.ts", "b.ts"]', 2_000);
  write('dist/services/services.mjs', '', 2_000);
});
afterAll(() => rmSync(root, { recursive: true }));

test('services run by their bundle until a source is newer, or is gone', () => {
  expect(serviceFile(root, 'services')).toBe(join(root, 'dist/services/services.mjs'));
  expect(serviceFile(root, 'another')).toBeNull();
  write('b.ts', '', 3_000);
  expect(serviceFile(root, 'services')).toBeNull();
  write('b.ts', '', 1_000);
  unlinkSync(join(root, 'a.ts'));
  expect(serviceFile(root, 'services')).toBeNull();
});
