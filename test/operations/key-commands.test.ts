import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { payrun } from './key-command-line.ts';

/** As `base64 -d | sha256sum | head -c 16` says. */
const idOf = (line: string) => createHash('sha256').update(Buffer.from(line, 'base64')).digest('hex').slice(0, 16);
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

describe('keys new', () => {
  test('prints a key of 32 bytes on stdout alone, and its id beside it', async () => {
    const { code, stdout, stderr } = await payrun(['keys', 'new'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    const line = stdout.trimEnd();
    expect(Buffer.from(line, 'base64')).toHaveLength(32);
    expect(stderr).toContain(`Data key ${idOf(line)}, shown only now.`);
    const json = await payrun(['keys', 'new', '--json'], { cwd: temporaryFolder() });
    const { id, key } = JSON.parse(json.stdout) as { id: string; key: string };
    expect(id).toBe(idOf(key));
    expect(key).not.toBe(line);
  });

  test('puts it in front of those in a file, and does not print it', async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, 'data-key');
    const first = await payrun(['keys', 'new', '--file', 'data-key'], { cwd });
    expect(first.code).toBe(0);
    const [former = ''] = linesOf(path);
    const second = await payrun(['keys', 'new', '--file', path, '--json'], { cwd });
    const [current = '', next] = linesOf(path);
    expect([next, linesOf(path).length]).toEqual([former, 2]);
    expect(JSON.parse(second.stdout)).toEqual({ id: idOf(current), file: path, former: [idOf(former)] });
    const third = await payrun(['keys', 'new', '--file', path], { cwd });
    expect(third.stdout).toContain(`Former, still needed: ${idOf(current)}, ${idOf(former)}.`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const { stdout, stderr } of [first, second, third]) {
      for (const line of linesOf(path)) expect(`${stdout}${stderr}`).not.toContain(line);
    }
  });

  test('leaves a wrong file as it is, and names the line', async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, 'data-key');
    writeFileSync(path, 'S3CRET\n');
    const { code, stdout, stderr } = await payrun(['keys', 'new', '--file', path], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${path}: line 1: give base64 of exactly 32 bytes`);
    expect(stderr).not.toContain('S3CRET');
    expect(readFileSync(path, 'utf8')).toBe('S3CRET\n');
  });
});

describe('keys rotate and keys check', () => {
  test('say which database they need', async () => {
    const cwd = temporaryFolder();
    const [, key = ''] = (await payrun(['keys', 'new', '--json'], { cwd })).stdout.match(/"key":"([^"]+)"/) ?? [];
    for (const command of ['rotate', 'check']) {
      const { code, stderr } = await payrun(['keys', command], { cwd, env: { PAYRUN_DATA_KEY: key } });
      expect(code).toBe(2);
      expect(stderr).toContain('set PAYRUN_OWNER_DATABASE_URL for your own database');
    }
  });

  test('say that the database cannot be reached', async () => {
    const cwd = temporaryFolder();
    const env = { PAYRUN_OWNER_DATABASE_URL: 'postgres://owner:S3CRET@127.0.0.1:1/payrun' };
    const { code, stdout, stderr } = await payrun(['keys', 'check'], { cwd, env });
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toContain('Postgres cannot be reached');
    expect(stderr).not.toContain('S3CRET');
  });

  test('a rotation needs a data key', async () => {
    const env = { PAYRUN_OWNER_DATABASE_URL: 'postgres://127.0.0.1:1/payrun' };
    const { code, stderr } = await payrun(['keys', 'rotate'], { cwd: temporaryFolder(), env });
    expect(code).toBe(2);
    expect(stderr).toContain('no data key is configured');
  });
});
