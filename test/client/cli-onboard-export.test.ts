import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anAuditEntry } from '../server/application-records.ts';
import { aCaseDetail, aCaseDocument, CASE } from '../server/case-records.ts';
import { aCommandLine } from './cli-harness.ts';

const EXPORT = ['onboard', 'export', CASE, '--to', 'anna'];
const BYTES = new Uint8Array([0, 255, 13, 10]);

async function aLineWithACase(fields: Parameters<typeof aCaseDetail>[0] = {}) {
  const line = await aCommandLine();
  const photo = aCaseDocument({ slot: 'photo', contentType: 'image/jpeg', fileName: '../../photo.jpg' });
  line.application.cases.set(CASE, aCaseDetail({ documents: [aCaseDocument(), photo], ...fields }));
  const file = { fileName: 'anna passport.pdf', contentType: 'application/pdf', bytes: BYTES };
  line.application.caseFiles = new Map([
    ['passport', file],
    ['photo', file],
  ]);
  line.application.caseEntries = [anAuditEntry({ kind: 'case_submitted' })];
  return line;
}

describe('onboard export', () => {
  it('writes the case and its documents into a folder that only its owner can read', async () => {
    const { application, folder, run } = await aLineWithACase();
    const { code, stdout } = await run(EXPORT);
    expect([code, stdout]).toEqual([0, `Wrote 3 files to ${join(folder, 'anna')}.\n`]);
    expect(application.calls).toMatchObject([{ method: 'exportCase', asked: { caseId: CASE } }]);
    expect((await stat(join(folder, 'anna'))).mode & 0o777).toBe(0o700);
    expect((await readdir(join(folder, 'anna'))).sort()).toEqual(['case.json', 'passport.pdf', 'photo.jpg']);
    for (const name of await readdir(join(folder, 'anna'))) {
      expect((await stat(join(folder, 'anna', name))).mode & 0o777).toBe(0o600);
    }
    expect([...(await readFile(join(folder, 'anna/passport.pdf')))]).toEqual([...BYTES]);
    const written = JSON.parse(await readFile(join(folder, 'anna/case.json'), 'utf8')) as unknown;
    expect(written).toEqual({ ...application.cases.get(CASE), audit: application.caseEntries });
    expect(await readdir(folder)).toEqual(['anna']);
  });

  it('takes an empty folder, and makes it readable by its owner alone', async () => {
    const { folder, run } = await aLineWithACase();
    await mkdir(join(folder, 'anna'), { mode: 0o755 });
    const { code, stdout } = await run([...EXPORT, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { caseId: CASE, folder: join(folder, 'anna'), files: ['case.json', 'passport.pdf', 'photo.jpg'] },
    ]);
    expect((await stat(join(folder, 'anna'))).mode & 0o777).toBe(0o700);
  });

  it('replaces nothing, and asks for nothing, when the folder is not empty or is none', async () => {
    const { application, folder, run } = await aLineWithACase();
    await mkdir(join(folder, 'anna'));
    await writeFile(join(folder, 'anna', 'mine'), 'mine');
    await writeFile(join(folder, 'a file'), '');
    const { code, stderr } = await run(EXPORT);
    expect([code, stderr]).toEqual([2, expect.stringContaining('anna is not empty')]);
    expect(await readdir(join(folder, 'anna'))).toEqual(['mine']);
    expect((await run(['onboard', 'export', CASE, '--to', 'a file'])).code).toBe(2);
    expect((await run(['onboard', 'export', CASE, '--to', 'nowhere/anna'])).code).toBe(2);
    // Nor does the audit trail say that anything was exported.
    expect(application.calls).toEqual([]);
  });

  it('leaves nothing behind when a document cannot be read', async () => {
    const { application, folder, run } = await aLineWithACase();
    application.caseFiles.delete('photo');
    expect((await run(EXPORT)).code).toBe(2);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is for roles that may read personal data, and for cases that have some', async () => {
    const { folder, run } = await aLineWithACase();
    const refused = await run(EXPORT, { role: 'checker' });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('onboarder')]);
    const erased = await aLineWithACase({ state: 'erased', values: null });
    expect((await erased.run(EXPORT)).stderr).toContain('nothing to export');
    expect(await readdir(folder)).toEqual([]);
  });
});
