import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Bom {
  bomFormat: string;
  components: { name: string; version: string; purl: string; hashes?: { alg: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

function readBom(): Bom {
  const file = join(temporaryFolder(), 'sbom.json');
  execFileSync(process.execPath, [join(ROOT, 'bin', 'write-sbom.mjs'), file], { stdio: 'pipe' });
  return JSON.parse(readFileSync(file, 'utf8')) as Bom;
}

test('the list of what is delivered has each package of production and of the console, and no tool of development', () => {
  const bom = readBom();
  expect(bom.bomFormat).toBe('CycloneDX');
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; devOptional?: boolean; link?: boolean }>;
  };
  const listed = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
  const production = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  expect(production.length).toBeGreaterThan(200);
  expect(production.filter((one) => !listed.has(one))).toEqual([]);
  const names = new Set(bom.components.map(({ name }) => name));
  for (const bundled of ['react', 'react-dom', '@mantine/core', '@tanstack/react-query'])
    expect(names).toContain(bundled);
  for (const tool of ['vitest', 'typescript', 'eslint', 'vite', 'knip', 'playwright-core'])
    expect(names).not.toContain(tool);
  expect(bom.components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([]);
  expect(bom.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
});

test('the build writes it', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { build: string } };
  expect(scripts.build).toContain('node bin/write-sbom.mjs');
});
