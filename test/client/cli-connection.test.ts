import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConnection } from '../../client/cli/connection.ts';
import { aFolder } from './cli-harness.ts';

/** No process has so high a number. */
const DEAD_PID = 2_147_483_646;

async function aHome(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

function services(serverUrl: string, pid: number | string = process.pid): string {
  return JSON.stringify({ serverUrl, pid });
}

describe('finding the server', () => {
  it('goes by the variables before anything else', async () => {
    const cwd = await aFolder();
    await aHome(cwd, { '.payrun/services.json': services('http://127.0.0.1:9000'), '.payrun/admin-token': 'admin' });
    const env = { PAYRUN_URL: 'http://127.0.0.1:9999', PAYRUN_TOKEN: 'mine' };
    expect(await findConnection({ env, cwd })).toEqual({ url: 'http://127.0.0.1:9999', token: 'mine' });
  });

  it('finds the payrun that runs from this folder, and its token', async () => {
    const cwd = await aFolder();
    await aHome(cwd, { '.payrun/services.json': services('http://127.0.0.1:9000'), '.payrun/admin-token': 'admin\n' });
    expect(await findConnection({ env: {}, cwd })).toEqual({ url: 'http://127.0.0.1:9000', token: 'admin' });
  });

  it('finds a demo behind what a crashed payrun left', async () => {
    const cwd = await aFolder();
    await aHome(cwd, {
      '.payrun/services.json': services('http://127.0.0.1:9000', DEAD_PID),
      '.payrun/admin-token': 'stale',
      '.payrun/demo/services.json': services('http://127.0.0.1:9001', String(process.pid)),
      '.payrun/demo/admin-token': 'demo',
    });
    expect(await findConnection({ env: {}, cwd })).toEqual({ url: 'http://127.0.0.1:9001', token: 'demo' });
  });

  it('looks where PAYRUN_HOME says', async () => {
    const cwd = await aFolder();
    await aHome(cwd, { 'elsewhere/services.json': services('http://127.0.0.1:9002'), 'elsewhere/admin-token': 'x' });
    const found = await findConnection({ env: { PAYRUN_HOME: 'elsewhere' }, cwd });
    expect(found).toEqual({ url: 'http://127.0.0.1:9002', token: 'x' });
  });

  it('never sends the administrator token to another machine', async () => {
    const cwd = await aFolder();
    await aHome(cwd, { '.payrun/admin-token': 'admin' });
    for (const url of ['https://pay.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1:8700']) {
      expect(await findConnection({ env: { PAYRUN_URL: url }, cwd })).toEqual({ url, token: null });
    }
  });

  it('takes the usual address and no token when there is nothing to go by', async () => {
    const cwd = await aFolder();
    const env = { PAYRUN_URL: '', PAYRUN_TOKEN: '' };
    expect(await findConnection({ env, cwd })).toEqual({ url: 'http://127.0.0.1:8700', token: null });
  });
});
