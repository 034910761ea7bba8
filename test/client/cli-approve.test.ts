import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderRowDetail } from '../../client/cli/runs/render-row-detail.ts';
import type { RunFinding, RunReview } from '../../domain/runs/run-finding.ts';
import { aRowDetail } from '../server/a-row-detail.ts';
import { aDecision, aRow, aRun, aStop } from '../server/application-records.ts';
import {
  aChangedAccount,
  aFreshAccount,
  aNewBeneficiary,
  aRunToDecide,
  foundRows,
  HASH,
  RUN,
} from '../application/a-review.ts';
import { aCommandLine } from './cli-harness.ts';

describe('show', () => {
  it('prints the findings below the totals and above the rows', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    application.rows = [aRow({ marks: ['account_changed'] })];
    const { stdout, code } = await run(['show', RUN, '--rows'], { role: 'checker' });
    expect(code).toBe(0);
    const places = ['SGD to be spent', 'Bank account changed: Winkler AG', 'Line  Row', '! account changed'].map(
      (text) => stdout.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('has the findings in its document too, with any number of rows', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    application.rows = Array.from({ length: 1_200 }, (_, index) => aRow({ line: index + 2 }));
    const { stdout } = await run(['show', RUN, '--rows', '--json'], { role: 'treasurer' });
    const document = JSON.parse(stdout) as { review: RunReview; payments: unknown[] };
    expect(document.review).toEqual(application.review);
    expect(document.payments).toEqual(application.rows);
  });

  it('ends with how to decide, for a user who may decide', async () => {
    const { run } = await aRunToDecide(aChangedAccount);
    expect((await run(['show', RUN], { role: 'checker' })).stdout).toContain(
      `To approve exactly this:     payrun approve ${RUN} --content-hash 01234567\n`,
    );
    for (const role of ['maker', 'viewer', 'administrator'] as const) {
      expect((await run(['show', RUN], { role })).stdout).not.toContain('payrun approve');
    }
  });

  it('shows the decision and its comment', async () => {
    const { application, run } = await aRunToDecide();
    application.runs.set(RUN, aRun({ state: 'rejected', decisions: [aDecision({ comment: 'not agreed' })] }));
    expect((await run(['show', RUN])).stdout).toMatch(/Rejected by Chris, on .*: not agreed\n/);
  });

  it.each(['administrator', 'onboarder'] as const)('tells an %s the totals, and who sees the rest', async (role) => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    application.rows = [aRow()];
    const { stdout, code } = await run(['show', RUN, '--rows'], { role });
    expect(code).toBe(0);
    expect(stdout).toContain('45,000,000');
    expect(stdout).toContain(
      'Beneficiaries, bank details, and a list of what stands out, are shown to makers, checkers, treasurers and viewers only.',
    );
    expect(stdout).not.toContain('4567890123');
    expect(stdout).not.toContain('Winkler');
    expect(application.refusedAccess).toEqual([]);
    const document = JSON.parse((await run(['show', RUN, '--json'], { role })).stdout) as object;
    expect(document).toMatchObject({ runId: RUN, review: null });
  });

  it('of a run that is still being checked shows no findings', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun({ state: 'validating', proposal: null }));
    expect((await run(['show', RUN])).stdout).toContain('There is no proposal yet.');
    expect(JSON.parse((await run(['show', RUN, '--json'])).stdout)).toMatchObject({ review: null });
  });

  it('of one row shows its whole instruction', () => {
    const instruction = {
      amount: '120000',
      purposeDescription: 'spare parts',
      payOn: null,
      beneficiary: {
        kind: 'details',
        details: { companyName: 'Budi Ltd', bankAccount: { iban: 'LT121000011101018901' } },
      },
      supportingFiles: ['a.pdf', 'b.pdf'],
    } as never;
    const text = renderRowDetail(aRun(), aRowDetail({ instruction, marks: ['unusual_amount'] }));
    expect(text).toContain('! unusual amount');
    expect(text).toMatch(/bank account: iban +LT121000011101018901/);
    expect(text).toMatch(/company name +Budi Ltd/);
    expect(text).toMatch(/purpose description +spare parts/);
    expect(text).toMatch(/supporting files +a\.pdf, b\.pdf/);
    const byId = aRowDetail({
      instruction: { beneficiary: { kind: 'existing', beneficiaryId: 'an-id' } },
      beneficiaryId: 'an-id',
    });
    expect(renderRowDetail(aRun(), byId)).toMatch(/the provider shows: account number +4567890123/);
    const left = aRowDetail({ state: 'invalid', asSubmitted: [{ header: 'Betrag', text: '1e3' }] });
    expect(renderRowDetail(aRun(), left)).toMatch(/The sheet says, and it is not paid\s+-*\s*Betrag\s+1e3/);
    expect(renderRowDetail(aRun(), aRowDetail({ isMasked: true }))).toContain('shown to makers, checkers');
  });
});

describe('approve', () => {
  it('shows on stderr what is approved, and approves exactly that', async () => {
    const { application, run } = await aRunToDecide(aNewBeneficiary, {
      kind: 'pays_later',
      id: 'pays_later:2',
      day: '2026-12-01',
      rowCount: 2,
    });
    const { code, stderr, stdout } = await run(['approve', RUN, '--yes', '--comment', 'fine']);
    expect(code).toBe(0);
    for (const text of [
      'payroll.csv',
      'account default',
      '3 payments',
      'IDR 45,000,000 to be received (3 rows)',
      'SGD 3,750.25 to be spent (3 rows)',
      'New beneficiary: Fresh Ltd',
      '2 rows on 2026-12-01',
      'Content 01234567',
    ]) {
      expect(stderr).toContain(text);
    }
    expect(stdout).toContain('Approved. The run is running.');
    expect(application.decisions.map(({ decision }) => decision)).toEqual([{ comment: 'fine', contentHash: HASH }]);
  });

  it.each<RunFinding>([
    aChangedAccount,
    { kind: 'file_submitted_before', runs: [], runCount: 1 },
    {
      kind: 'account_has_other_names',
      account: aFreshAccount,
      names: [],
      nameCount: 0,
      paidBefore: null,
      ...foundRows,
    },
    { kind: 'unusual_amount', name: 'Winkler AG', largestBefore: '1.00', ...foundRows },
    { kind: 'details_unknown', beneficiaryId: 'an-id', reason: 'not_read', ...foundRows },
  ])('approves nothing in which there is a finding of the kind $kind without an answer', async (finding) => {
    const { application, run, folder } = await aRunToDecide(aNewBeneficiary, finding);
    const id = 'id' in finding ? finding.id : finding.kind;
    const { code, stderr } = await run(['approve', RUN, '--yes', '--content-hash', '01234567']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`1 finding takes an answer[\\s\\S]*--answers FILE[\\s\\S]*\n  ${id}  `));
    expect(stderr).toContain('ATTENTION: ');
    expect(application.decisions).toEqual([]);
    await writeFile(join(folder, 'answers.csv'), `finding,answer\n${id},called them\n`);
    const approved = await run(['approve', RUN, '--yes', '--answers', 'answers.csv', '--comment', 'May']);
    expect(approved.code).toBe(0);
    expect(application.decisions).toMatchObject([
      {
        decision: { contentHash: HASH, comment: expect.stringMatching(/^May\n.*: called them$/) as string },
        approved: true,
      },
    ]);
  });

  it('takes an answer for all findings of a kind, and none to what is not asked', async () => {
    const { application, run, folder } = await aRunToDecide(aChangedAccount, {
      ...aChangedAccount,
      ...{ name: 'Other AG', id: 'account_changed:9' },
    });
    const approveWith = async (answers: object) => {
      await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
      return run(['approve', RUN, '--yes', '--answers', 'answers.json']);
    };
    expect((await approveWith({ 'account_changed:7': 'called', 'account_changed:9': ' ' })).stderr).toMatch(
      /1 finding takes an answer[\s\S]*account_changed:9 {2}Changed bank account, Other AG/,
    );
    expect((await approveWith({ account_changed: 'called', unusual_amount: 'seen' })).stderr).toContain(
      'answers.json answers what is not asked: unusual_amount',
    );
    expect(application.decisions).toEqual([]);
    expect((await approveWith({ account_changed: 'called' })).code).toBe(0);
    expect(application.decisions[0]?.decision.comment).toBe(
      'Changed bank account, Winkler AG: called\nChanged bank account, Other AG: called',
    );
  });

  it('asks one by one at a terminal, and before it pays', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    const refused: string[][] = [[''], ['called them', ''], ['called them', 'n']];
    for (const typed of refused) expect((await run(['approve', RUN], { typed })).code).toBe(2);
    expect(application.decisions).toEqual([]);
    const { code, stderr } = await run(['approve', RUN], { typed: ['called them', 'y'] });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /1 of 1: Changed bank account, Winkler AG\. Ask[\s\S]*How was it checked\?[\s\S]*Approve 3 payments\? \(y\/N\)/,
    );
    expect(application.decisions.map(({ decision }) => decision.comment)).toEqual([
      'Changed bank account, Winkler AG: called them',
    ]);
  });

  it('without a terminal pays only with --yes, and says so', async () => {
    const { application, run } = await aRunToDecide();
    const { code, stderr } = await run(['approve', RUN]);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no terminal to ask at. To approve what is shown above, add --yes');
    expect(application.decisions).toEqual([]);
  });

  it.each(['01234567', '0123456789ABCDEF', HASH])('takes %s for the content that it begins', async (given) => {
    const { application, run } = await aRunToDecide();
    expect((await run(['approve', RUN, '--yes', '--content-hash', given])).code).toBe(0);
    const { application: another, run: rerun } = await aRunToDecide(aChangedAccount);
    expect((await rerun(['reject', RUN, '--comment', 'no', '--content-hash', given])).code).toBe(0);
    const made = [...application.decisions, ...another.decisions];
    expect(made.map(({ decision }) => decision.contentHash)).toEqual([HASH, HASH]);
  });

  it.each([
    ['another content', 'f'.repeat(64), 'the run has changed since'],
    ['the beginning of another content', '76543210', 'the run has changed since'],
    ['too few characters', '0123456', 'not a content hash'],
    ['what is no hash', 'last week', 'not a content hash'],
    ['nothing', '', 'not a content hash'],
    ['too many characters', `${HASH}0`, 'not a content hash'],
  ])('is refused for %s, and says why', async (_what, given, message) => {
    const { application, run } = await aRunToDecide();
    for (const verb of [
      ['approve', '--yes'],
      ['reject', '--comment', 'no'],
    ]) {
      const { code, stderr } = await run([...verb, RUN, '--content-hash', given]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
    expect(application.decisions).toEqual([]);
  });

  it('is refused if the content has changed since the proposal', async () => {
    const { application, run } = await aRunToDecide();
    application.review = { ...application.review, contentHash: 'f'.repeat(64) };
    const { code, stderr } = await run(['approve', RUN, '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('the run has changed since');
    expect(application.decisions).toEqual([]);
  });

  it('of a stopped run says that nothing is paid yet', async () => {
    const { application, run } = await aRunToDecide();
    application.runs.set(RUN, { ...application.runs.get(RUN)!, stops: [aStop({ scope: 'all', runId: null })] });
    const { stdout } = await run(['approve', RUN, '--yes']);
    expect(stdout).toContain('Nothing is paid yet. Stopped (everything)');
  });

  it('waits for the check of the run', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun({ state: 'validating', proposal: null }));
    const { code, stderr } = await run(['approve', RUN, '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('still being checked');
  });

  it('says how many steps are taken, also in its document', async () => {
    const { application, run } = await aRunToDecide();
    application.steps = 2;
    expect((await run(['approve', RUN, '--yes'])).stdout).toBe(
      'Approved: 1 of 2 steps are taken, and another person takes the next one.\n',
    );
    const { stdout } = await run(['approve', RUN, '--yes', '--content-hash', HASH, '--json']);
    expect(JSON.parse(stdout)).toEqual({ ...application.runs.get(RUN), stepsTaken: 1, steps: 2 });
  });

  it('shows an administrator nothing and approves nothing', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    const { code, stderr } = await run(['approve', RUN, '--yes'], { role: 'administrator' });
    expect(code).toBe(4);
    expect(stderr).not.toContain('Winkler');
    expect(application.decisions).toEqual([]);
  });
});

describe('reject', () => {
  it('applies to the current content if no hash is given', async () => {
    const { application, run } = await aRunToDecide(aChangedAccount);
    const { code, stdout } = await run(['reject', RUN, '--comment', 'wrong account']);
    expect(code).toBe(0);
    expect(stdout).toBe('Rejected. The run is rejected.\n');
    expect(application.decisions).toMatchObject([
      { decision: { comment: 'wrong account', contentHash: HASH }, approved: false },
    ]);
  });
});
