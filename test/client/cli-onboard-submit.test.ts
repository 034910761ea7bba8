import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { followCases } from '../../client/cli/onboarding/follow-cases.ts';
import { renderApplicantProblems } from '../../client/cli/onboarding/render-applicant-problems.ts';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import { aCaseDetail, anApplicantProblem, CASE, OTHER_CASE } from '../server/case-records.ts';
import { aCommandLine, type CommandLine } from './cli-harness.ts';
import { aClient } from './sdk-harness.ts';

const YAML = 'applicant_ref: A-17\ndocuments:\n  passport: anna.pdf\n  photo: "2024"\n';
const CSV = 'applicant_ref,Document_Passport,document_photo\r\nA-17,anna.pdf,\r\nB-2,"bo, b.pdf",2024\r\n';
const SUBMIT = ['onboard', 'submit'];

/** The files that were sent, by name. */
function sentBy({ application }: CommandLine): Record<string, string>[] {
  return application.received.map(({ files }) => Object.fromEntries(files.map(({ name, content }) => [name, content])));
}

async function aLineWithDocuments(files: Record<string, string>) {
  const line = await aCommandLine(files);
  await mkdir(join(line.folder, 'papers', 'older'), { recursive: true });
  for (const name of ['anna.pdf', 'bo, b.pdf', '2024', 'other.pdf', 'older/anna.pdf']) {
    await writeFile(join(line.folder, 'papers', name), `content of ${name}`);
  }
  return line;
}

describe('onboard submit', () => {
  it('sends the file with exactly the documents that it names', async () => {
    const line = await aLineWithDocuments({ 'applicants.csv': CSV, 'anna.yaml': YAML, 'anna.json': '' });
    await writeFile(
      join(line.folder, 'anna.json'),
      JSON.stringify({ Documents: { passport: 'anna.pdf', photo: 'b.pdf' } }),
    );
    for (const file of ['applicants.csv', 'anna.yaml', 'anna.json']) {
      const { code } = await line.run([...SUBMIT, file, '--files', 'papers', '--account', 'asia']);
      expect(code).toBe(0);
    }
    expect(sentBy(line)).toEqual([
      { 'anna.pdf': 'content of anna.pdf', 'bo, b.pdf': 'content of bo, b.pdf', 2024: 'content of 2024' },
      { 'anna.pdf': 'content of anna.pdf', 2024: 'content of 2024' },
      { 'anna.pdf': 'content of anna.pdf' },
    ]);
    expect(line.application.received[0]).toMatchObject({
      given: { account: 'asia', fileName: 'applicants.csv' },
      content: CSV,
    });
  });

  it('finds the documents of a CSV with semicolons and in UTF-16, and sends all files of a folder with a workbook', async () => {
    const line = await aLineWithDocuments({ 'applicants.csv': `sep=;\r\nref;document_photo\r\nA;bo, b.pdf\r\n` });
    await writeFile(join(line.folder, 'utf16.csv'), Buffer.from('\ufeffref\tdocument_photo\nA\t2024\n', 'utf16le'));
    await writeFile(join(line.folder, 'applicants.xlsx'), 'PK');
    for (const file of ['applicants.csv', 'utf16.csv', 'applicants.xlsx']) {
      expect((await line.run([...SUBMIT, file, '--files', 'papers'])).code).toBe(0);
    }
    expect(sentBy(line).map((files) => Object.keys(files).sort())).toEqual([
      ['bo, b.pdf'],
      ['2024'],
      ['2024', 'anna.pdf', 'bo, b.pdf', 'other.pdf'],
    ]);
  });

  it('sends as much of a document that is too large as shows that it is, with everything else', async () => {
    const line = await aLineWithDocuments({});
    await writeFile(join(line.folder, 'papers', 'anna.yaml'), YAML);
    await writeFile(join(line.folder, 'papers', 'anna.pdf'), new Uint8Array(11_000_000));
    expect((await line.run([...SUBMIT, 'papers/anna.yaml'])).code).toBe(0);
    expect(sentBy(line).map((files) => [files['anna.pdf']?.length, files['2024']])).toEqual([
      [10_485_761, 'content of 2024'],
    ]);
  });

  it('says in which folder documents were not found, and sends one that is there in other capitals', async () => {
    const line = await aLineWithDocuments({
      'anna.yaml': YAML.replace('anna.pdf', 'Anna.PDF').replace('2024', '2023'),
    });
    const { stderr } = await line.run([...SUBMIT, 'anna.yaml', '--files', 'papers']);
    expect(stderr).toContain(`Not found in ${join(line.folder, 'papers')}: Anna.PDF, 2023`);
    expect(sentBy(line)).toEqual([{ 'anna.pdf': 'content of anna.pdf' }]);
  });

  it('takes the documents of one applicant from beside its file', async () => {
    const line = await aLineWithDocuments({});
    await writeFile(join(line.folder, 'papers', 'anna.yaml'), YAML);
    expect((await line.run([...SUBMIT, 'papers/anna.yaml'])).code).toBe(0);
    expect(sentBy(line)).toEqual([{ 'anna.pdf': 'content of anna.pdf', 2024: 'content of 2024' }]);
  });

  it('reads nothing outside the folder, and follows no link', async () => {
    const escaping =
      'documents:\n  passport: ../secret.pdf\n  photo: /etc/hostname\n  nric: older/anna.pdf\n  ktp: link.pdf\n';
    const line = await aLineWithDocuments({ 'anna.yaml': escaping, 'secret.pdf': 'secret' });
    await symlink(join(line.folder, 'secret.pdf'), join(line.folder, 'papers', 'link.pdf'));
    expect((await line.run([...SUBMIT, 'anna.yaml', '--files', 'papers'])).code).toBe(0);
    expect(sentBy(line)).toEqual([{}]);
  });

  it('finds a name whose accents are encoded in another way', async () => {
    const line = await aCommandLine({ 'anna.yaml': 'documents: {passport: "Müller.pdf"}'.normalize('NFC') });
    await writeFile(join(line.folder, 'Müller.pdf'.normalize('NFD')), 'content');
    await line.run([...SUBMIT, 'anna.yaml']);
    expect(sentBy(line)).toEqual([{ ['Müller.pdf'.normalize('NFC')]: 'content' }]);
  });

  it('leaves a file that it cannot read to the server', async () => {
    const line = await aCommandLine({ 'a.yaml': 'documents: {passport', 'a.json': '{', 'a.csv': '"a' });
    for (const file of ['a.yaml', 'a.json', 'a.csv']) expect((await line.run([...SUBMIT, file])).code).toBe(0);
    expect(line.application.received.map(({ content }) => content)).toEqual(['documents: {passport', '{', '"a']);
  });

  it('prints what was accepted, how many requests it takes, and until when', async () => {
    const { application, run } = await aCommandLine({ 'a.yaml': 'email: x' });
    application.applicantOutcome = {
      kind: 'accepted',
      cases: [
        { caseId: CASE, applicantRef: 'A-17', isNew: true, state: 'draft', differs: null },
        { caseId: OTHER_CASE, applicantRef: 'B-2', isNew: false, state: 'screening', differs: false },
      ],
      newCount: 1,
      warnings: [],
      requestCount: 1_234,
      secondsToFinish: 250,
      holds: [],
    };
    const { stdout } = await run([...SUBMIT, 'a.yaml']);
    expect(stdout).toContain('Accepted: 1 new case, 1 already known.');
    expect(stdout).toMatch(new RegExp(`${OTHER_CASE} +B-2 +already known +screening`));
    expect(stdout).toContain('1,234 requests to the provider');
    expect(stdout).toContain('about 5 min');
    const dry = await run([...SUBMIT, 'a.yaml', '--dry-run']);
    expect(dry.stdout).toContain('Nothing was stored.');
    expect(application.received.map(({ given }) => given)).toMatchObject([{ dryRun: false }, { dryRun: true }]);
    const json = await run([...SUBMIT, 'a.yaml', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ newCount: 1, secondsToFinish: 250 });
  });

  it('prints the problems of a refused file by line, and exits with 2', async () => {
    const { application, run } = await aCommandLine({ 'a.csv': 'applicant_ref' });
    const problems = [
      anApplicantProblem({
        line: null,
        applicantRef: null,
        field: 'password',
        value: null,
        problem: 'is given',
        fix: 'remove it',
      }),
      anApplicantProblem(),
      anApplicantProblem({ field: 'gender', value: null, problem: 'is missing', fix: 'give it' }),
      anApplicantProblem({ line: 3, applicantRef: null }),
    ];
    application.applicantOutcome = { kind: 'refused', problems, problemCount: 5 };
    const { code, stdout, stderr } = await run([...SUBMIT, 'a.csv']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      'applicants.csv:',
      '  password: is given: remove it',
      'applicants.csv, line 2, applicant A-17:',
      '  email: "anna" is not one e-mail address: write one address without a name',
      '  gender: is missing: give it',
      'applicants.csv, line 3:',
      '  email: "anna" is not one e-mail address: write one address without a name',
      '… and 1 more problem',
      'payrun: the file was refused, nothing was stored: it has 5 mistakes',
    ]);
    const json = await run([...SUBMIT, 'a.csv', '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'applicants_refused', details: { problems } } });
  });

  it('names the field of a problem once', () => {
    const missing = {
      field: 'gender',
      value: null,
      problem: 'gender is empty, but the screening requires it',
      fix: 'fill it in',
    };
    const wrong = { field: 'email', value: 'anna', problem: 'email is not one e-mail address', fix: 'write one' };
    const text = renderApplicantProblems([anApplicantProblem(missing), anApplicantProblem(wrong)], 2);
    expect(text.split('\n').slice(1)).toEqual([
      '  gender is empty, but the screening requires it: fill it in',
      '  email "anna" is not one e-mail address: write one',
    ]);
  });

  it.each([
    [['nowhere.yaml'], 'nowhere.yaml: there is no such file'],
    [['applicants.csv'], 'names 3 documents: give their folder with --files'],
    [['applicants.csv', '--files', 'nowhere'], 'cannot read nowhere'],
    [['notes.txt'], 'must end in .csv, .xlsx, .yaml, .yml or .json'],
    [['applicants.csv', '--dry-run', '--wait'], '--dry-run'],
    [[], 'file'],
  ])('%j is wrong input: nothing is sent', async (args, said) => {
    const { application, run } = await aCommandLine({ 'applicants.csv': CSV, 'notes.txt': '' });
    const { code, stdout, stderr } = await run([...SUBMIT, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(application.received).toEqual([]);
  });

  it('is for onboarders', async () => {
    const { run } = await aCommandLine({ 'a.yaml': 'email: x' });
    expect((await run([...SUBMIT, 'a.yaml'], { role: 'maker' })).code).toBe(4);
  });

  it('cannot act on the terminal by what a file says', () => {
    const evil = anApplicantProblem({ value: 'a\u001b[2J\u202eb', applicantRef: '\u001b', field: '\u001b' });
    const text = renderApplicantProblems([evil], 1);
    expect(text).toContain('\\u{1b}');
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('onboard submit --wait', () => {
  it.each([
    ['approved', 0],
    ['resubmission', 3],
    ['rejected', 3],
  ] as const)('ends with a case that is %s, with exit code %i', async (state, exitCode) => {
    const { application, run } = await aCommandLine({ 'a.yaml': 'email: x' });
    application.cases.set(CASE, aCaseDetail({ state, missing: ['document_passport'] }));
    const { code, stdout } = await run([...SUBMIT, 'a.yaml', '--wait']);
    expect(code).toBe(exitCode);
    expect(stdout).toContain(`A-17: ${state} (document: passport)\n`);
    expect(application.valuesAsked).toEqual([false]);
    const json = await run([...SUBMIT, 'a.yaml', '--wait', '--json']);
    expect(json.code).toBe(exitCode);
    expect(JSON.parse(json.stdout)).toMatchObject({ newCount: 1, cases: [{ caseId: CASE, isNew: true, state }] });
    expect(json.stderr).toContain(CASE);
  });

  it('prints each change until neither payrun nor the provider has anything to do', async () => {
    const { application, client } = await aClient('onboarder');
    const states: CaseState[] = ['draft', 'signing_up', 'signing_up', 'screening', 'approved'];
    const others: CaseState[] = ['preparing', 'incomplete'];
    const next = (): void => {
      for (const [caseId, coming] of [[CASE, states] as const, [OTHER_CASE, others] as const]) {
        const state = coming.shift();
        if (state !== undefined)
          application.cases.set(caseId, aCaseDetail({ caseId, applicantRef: caseId.slice(-1), state }));
      }
    };
    next();
    const out = new PassThrough();
    const wait = () => {
      next();
      return Promise.resolve();
    };
    const last = await followCases(client, [{ caseId: CASE }, { caseId: OTHER_CASE }], out, { wait });
    out.end();
    expect(await text(out)).toBe(
      ['1: draft', '2: preparing', '1: signing_up', '2: incomplete', '1: screening', '1: approved', ''].join('\n'),
    );
    expect(last.map(({ state }) => state)).toEqual(['approved', 'incomplete']);
  });
});

describe('onboard supply', () => {
  it('sends what is new for the revision of the case', async () => {
    const line = await aLineWithDocuments({ 'new.yaml': 'documents: {passport: anna.pdf}' });
    line.application.cases.set(CASE, aCaseDetail({ revision: 3 }));
    const { code, stdout } = await line.run(['onboard', 'supply', CASE, 'new.yaml', '--files', 'papers']);
    expect(code).toBe(0);
    expect(stdout).toContain('revision 2');
    expect(line.application.received[0]?.given).toMatchObject({ revision: 3, fileName: 'new.yaml' });
    expect(sentBy(line)).toEqual([{ 'anna.pdf': 'content of anna.pdf' }]);
    const json = await line.run(['onboard', 'supply', CASE, 'new.yaml', '--files', 'papers', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ caseId: CASE, revision: 2 });
  });

  it('of a case that does not exist is wrong input', async () => {
    const { run } = await aCommandLine({ 'new.yaml': 'email: x' });
    expect((await run(['onboard', 'supply', CASE, 'new.yaml'])).code).toBe(2);
  });
});
