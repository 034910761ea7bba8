import { readFile, readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SubmissionSpool } from '../../server/runs/submission-spool.ts';
import { aFolder } from '../client/cli-harness.ts';

async function* piecesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

it('a file is written up to its limit, and read to its end', async () => {
  const spool = await SubmissionSpool.open(await aFolder());
  const whole = await spool.add(piecesOf('ab', 'cd'), () => true);
  expect(whole.sizeBytes).toBe(4);
  expect(await readFile(whole.path, 'utf8')).toBe('abcd');
  const cut = await spool.add(piecesOf('ab', 'cd', 'ef'), (size) => size <= 4);
  expect(cut.sizeBytes).toBe(6);
  expect(await readFile(cut.path, 'utf8')).toBe('abcd');
  expect(cut.path).not.toBe(whole.path);
  spool.check();
});

it('a file that cannot be written is read all the same, and the error is thrown at the end', async () => {
  const folder = await aFolder();
  const spool = await SubmissionSpool.open(folder);
  await spool.remove();
  expect((await spool.add(piecesOf('ab', 'cd'), () => true)).sizeBytes).toBe(4);
  expect((await spool.add(piecesOf('ab'), () => true)).sizeBytes).toBe(2);
  expect(() => spool.check()).toThrow('ENOENT');
});

it('an interrupted upload is not treated as complete', async () => {
  const folder = await aFolder();
  const spool = await SubmissionSpool.open(folder);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from('ab'));
    throw new Error('the line broke');
  }
  await expect(spool.add(broken(), () => true)).rejects.toThrow('the line broke');
  await spool.remove();
  expect(await readdir(folder)).toEqual([]);
});
