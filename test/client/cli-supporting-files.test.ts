import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTING, aRunToDecide, EVIL, RUN } from '../application/a-review.ts';

describe('files', () => {
  function aFile(name: string, text: string) {
    const bytes = new TextEncoder().encode(text);
    return { name, contentType: 'application/pdf', sizeBytes: bytes.byteLength, sha256: 'b'.repeat(64), bytes };
  }

  it('are listed', async () => {
    const { application, run } = await aRunToDecide();
    expect((await run(['files', RUN])).stdout).toBe('The run has no supporting files.\n');
    application.files = [aFile('invoice.pdf', 'x'.repeat(12_345)), aFile(EVIL, '')];
    const { stdout } = await run(['files', RUN]);
    expect(stdout).toMatch(/invoice\.pdf +application\/pdf +12,345/);
    expect(stdout).not.toMatch(ACTING);
  });

  it('are saved byte for byte, readable only by their owner', async () => {
    const { application, folder, run } = await aRunToDecide();
    application.files = [aFile('invoice 7.pdf', '%PDF ä\r\n\u0000'), aFile('Müller 株.png', '')];
    const { code, stdout } = await run(['files', RUN, '-o', 'seen/of it']);
    expect(code).toBe(0);
    const path = join(folder, 'seen/of it/invoice 7.pdf');
    expect(stdout.split('\n')).toContain(path);
    expect(await readFile(path, 'utf8')).toBe('%PDF ä\r\n\u0000');
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect((await stat(join(folder, 'seen/of it'))).mode & 0o077).toBe(0);
    expect((await readdir(join(folder, 'seen/of it'))).sort()).toEqual(['Müller 株.png', 'invoice 7.pdf'].sort());
  });

  it.each([
    ['../../evil.pdf', '__.._evil.pdf'],
    ['/etc/passwd', '_etc_passwd'],
    ['..\\..\\evil.pdf', '__.._evil.pdf'],
    ['.bashrc', '_bashrc'],
    ['-rf', '_rf'],
    [' ', '_'],
    ['...', '_'],
    ['a\nb\u001b[2J\u202e.pdf', 'a_b_[2J_.pdf'],
    ['con:stream?.pdf', 'con_stream_.pdf'],
    [`${'株'.repeat(200)}.pdf`, `${'株'.repeat(60)}.pdf`],
  ])('of the name %j stay within the folder', async (name, expected) => {
    const { application, folder, run } = await aRunToDecide();
    application.files = [aFile(name, 'content')];
    expect((await run(['files', RUN, '-o', 'seen'])).code).toBe(0);
    expect(await readdir(folder)).toEqual(['seen']);
    expect(await readdir(join(folder, 'seen'))).toEqual([expected]);
  });

  it('with names that become equal are all saved', async () => {
    const { application, folder, run } = await aRunToDecide();
    application.files = ['a/b.pdf', 'a:b.pdf', 'A_B.pdf'].map((name, index) => aFile(name, `content ${index}`));
    expect((await run(['files', RUN, '-o', 'seen'])).code).toBe(0);
    const names = (await readdir(join(folder, 'seen'))).sort();
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
    const contents = await Promise.all(names.map((name) => readFile(join(folder, 'seen', name), 'utf8')));
    expect(contents.sort()).toEqual(['content 0', 'content 1', 'content 2']);
  });

  it('replace no file, and follow no link', async () => {
    const { application, folder, run } = await aRunToDecide();
    application.files = [aFile('invoice.pdf', 'theirs')];
    await mkdir(join(folder, 'seen'));
    await writeFile(join(folder, 'mine.pdf'), 'mine');
    await symlink(join(folder, 'mine.pdf'), join(folder, 'seen', 'invoice.pdf'));
    const { code, stderr } = await run(['files', RUN, '-o', 'seen']);
    expect(code).toBe(2);
    expect(stderr).toContain('already exists');
    expect(await readFile(join(folder, 'mine.pdf'), 'utf8')).toBe('mine');
    expect(await readdir(join(folder, 'seen'))).toEqual(['invoice.pdf']);
  });

  it('cannot be saved if the folder cannot be created, and are not for administrators', async () => {
    const { application, folder, run } = await aRunToDecide();
    application.files = [aFile('invoice.pdf', 'x')];
    await writeFile(join(folder, 'a file'), '');
    expect((await run(['files', RUN, '-o', 'a file/below'])).code).toBe(2);
    expect((await run(['files', RUN], { role: 'administrator' })).code).toBe(4);
  });
});
