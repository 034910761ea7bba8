import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

/** What the browser loads first, and what it loads for each further page, compressed. */

const FIRST_LOAD_BYTES = 250_000;
const PAGE_BYTES = 60_000;

const FOLDER = join(import.meta.dirname, '..', '..', 'dist', 'console');

interface Chunk {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
}

function readManifest(): Record<string, Chunk> {
  const path = join(FOLDER, 'manifest.json');
  if (!existsSync(path)) throw new Error('the console is not built: run npm run build');
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>;
}

/** The files that a chunk cannot run without. */
function filesOf(manifest: Record<string, Chunk>, name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const other of chunk.imports ?? []) filesOf(manifest, other, seen);
  return seen;
}

function compressedBytes(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(FOLDER, file)), { level: 9 }).length, 0);
}

describe('the scripts of the console', () => {
  const manifest = readManifest();
  const [entry = ''] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true);
  const first = filesOf(manifest, entry);
  const pages = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry === true);

  test('have at most 250 kB in the first load', () => {
    expect(compressedBytes(first)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  });

  test.each(pages)('have at most 60 kB more for %s', (name) => {
    const more = [...filesOf(manifest, name)].filter((file) => !first.has(file));
    expect(compressedBytes(more)).toBeLessThanOrEqual(PAGE_BYTES);
  });

  test('hold methods and paths of the endpoints, and none of their schemas', () => {
    const scripts = readdirSync(join(FOLDER, 'assets')).filter((name) => name.endsWith('.js'));
    const text = scripts.map((name) => readFileSync(join(FOLDER, 'assets', name), 'utf8')).join('');
    expect(text).toContain('/stops/:stopId/lift');
    expect(text).not.toContain('ZodError');
  });

  test('are many pages, each loaded when it is opened', () => {
    expect(pages.length).toBeGreaterThan(20);
  });
});
