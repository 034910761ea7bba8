import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaseExport } from '../../api/onboarding/case-detail.ts';
import { anAuditEntry } from '../server/application-records.ts';
import { aCaseDetail, aCaseDocument, aCaseManualOutcome, CASE } from '../server/case-records.ts';
import { aCommandLine } from './cli-harness.ts';

const EXPORT = ['onboard', 'export', CASE, '--to', 'anna'];
const FILES = ['applicant.txt', 'case.json', 'passport.pdf', 'passport.revision-1.pdf', 'photo.jpg'];
const REVISIONS: Pick<CaseExport, 'revisions'> = {
  revisions: [
    { revision: 1, suppliedAt: '2026-01-05T09:00:00.000Z', values: { first_name: 'Anna', occupation: 'Baker' } },
    { revision: 2, suppliedAt: '2026-01-06T09:00:00.000Z', values: { first_name: 'Anne' } },
  ],
};
const BYTES = new Uint8Array([0, 255, 13, 10]);

async function aLineWithACase(fields: Parameters<typeof aCaseDetail>[0] = {}) {
  const line = await aCommandLine();
  const photo = aCaseDocument({ slot: 'photo', contentType: 'image/jpeg', fileName: '../../photo.jpg' });
  const passport = aCaseDocument({ revision: 2 });
  line.application.cases.set(CASE, aCaseDetail({ documents: [passport, photo], ...fields }));
  line.application.caseBefore = { ...REVISIONS, formerDocuments: [aCaseDocument({ fileName: 'old.pdf' })] };
  const file = { fileName: 'anna passport.pdf', contentType: 'application/pdf', bytes: BYTES };
  line.application.caseFiles = new Map([
    ['passport', file],
    ['photo', file],
  ]);
  const detail = { token: 'token-1', emailHmac: 'x', remarkHash: 'hash-1' };
  line.application.caseEntries = [
    anAuditEntry({ kind: 'case_submitted', actor: 'user-onboarder', person: 'Oda', detail, remark: 'of Anna' }),
  ];
  return line;
}

describe('onboard export', () => {
  it('writes the case and its documents into a folder that only its owner can read', async () => {
    const { application, folder, run } = await aLineWithACase();
    const { code, stdout } = await run(EXPORT);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Wrote 5 files to .*anna; .*delete the folder/);
    expect(stdout).toContain(join(folder, 'anna'));
    expect(application.calls).toMatchObject([{ method: 'exportCase', asked: { caseId: CASE } }]);
    expect((await stat(join(folder, 'anna'))).mode & 0o777).toBe(0o700);
    expect((await readdir(join(folder, 'anna'))).sort()).toEqual(FILES);
    for (const name of await readdir(join(folder, 'anna'))) {
      expect((await stat(join(folder, 'anna', name))).mode & 0o777).toBe(0o600);
    }
    expect([...(await readFile(join(folder, 'anna/passport.pdf')))]).toEqual([...BYTES]);
    const written = JSON.parse(await readFile(join(folder, 'anna/case.json'), 'utf8')) as Record<string, unknown>;
    expect(written).toMatchObject({ caseId: CASE, state: 'resubmission', ...REVISIONS });
    expect(written['documents']).toMatchObject([
      { file: 'passport.pdf', revision: 2 },
      { file: 'photo.jpg' },
      { file: 'passport.revision-1.pdf', revision: 1, isFormer: true },
    ]);
    expect(written['history']).toEqual([
      { at: expect.any(String) as string, kind: 'case_submitted', remark: 'of Anna' },
    ]);
    expect(application.documentsAsked).toEqual([
      { slot: 'passport', revision: 2 },
      { slot: 'photo', revision: 1 },
      { slot: 'passport', revision: 1 },
    ]);
    expect(await readdir(folder)).toEqual(['anna']);
  });

  it('has a page to read, with former values and files, and names nobody of the team', async () => {
    const { folder, run } = await aLineWithACase({ manualOutcomes: [aCaseManualOutcome()] });
    await run(EXPORT);
    const page = await readFile(join(folder, 'anna/applicant.txt'), 'utf8');
    expect(page).toContain('Given first, on 2026-01-05 09:00 UTC:\n  First name: Anna\n  Occupation: Baker\n');
    expect(page).toContain(
      'Given as revision 2, on 2026-01-06 09:00 UTC:\n  First name: Anne\n  Occupation: removed\n',
    );
    expect(page).toContain('passport.revision-1.pdf: passport, given as old.pdf in revision 1, replaced since');
    expect(page).toContain('the passport of Anna is blurred');
    const data = await readFile(join(folder, 'anna/case.json'), 'utf8');
    for (const internal of ['Oda', 'user-onboarder', 'token-1', 'emailHmac', 'hash-1']) {
      expect(page).not.toContain(internal);
      expect(data).not.toContain(internal);
    }
  });

  it('takes an empty folder, and makes it readable by its owner alone', async () => {
    const { folder, run } = await aLineWithACase();
    await mkdir(join(folder, 'anna'), { mode: 0o755 });
    const { code, stdout } = await run([...EXPORT, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        caseId: CASE,
        folder: join(folder, 'anna'),
        files: ['applicant.txt', 'case.json', 'passport.pdf', 'photo.jpg', 'passport.revision-1.pdf'],
      },
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
