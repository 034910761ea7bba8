import { describe, expect, it } from 'vitest';
import { renderRowDetail } from '../../client/cli/runs/render-row-detail.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { aRun } from '../server/application-records.ts';
import { aRowDetail, aSimilarRow } from '../server/a-row-detail.ts';
import { aCommandLine } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const OTHER = '018f2a00-0000-7000-8000-000000000002';
const HASH = '1f0c93ab'.padEnd(64, '0');
const RELEASE = ['release', RUN, '--row', 'INV-1', '--similar-hash', '1f0c93ab', '--reason', 'the retainer of March'];

const similar = {
  rows: [aSimilarRow({ runId: OTHER })],
  rowCount: 1,
  hash: HASH,
};
const suspect = aRowDetail({ state: 'duplicate_suspect', errorCode: 'same_beneficiary_and_amount', similar });

async function aLineWithASuspect(detail = suspect) {
  const line = await aCommandLine();
  line.application.rowDetails.set('INV-1', detail);
  return line;
}

describe('release', () => {
  it('releases the row with its reason, and says what follows', async () => {
    const { application, run } = await aLineWithASuspect();
    const { code, stdout } = await run(RELEASE);
    expect(code).toBe(0);
    expect(application.resolved).toMatchObject([
      { rowRef: 'INV-1', asked: { similarHash: HASH, reason: 'the retainer of March' } },
    ]);
    expect(stdout).toBe(
      'Released: the row INV-1 is ready. The run is proposed again, and is paid once it is approved. ' +
        `1 earlier approval no longer counts.\nTo see it: payrun show ${RUN}\n`,
    );
  });

  it.each([
    ['other rows than were seen', suspect, ['--similar-hash', '99999999'], 'which shows 1f0c93ab'],
    ['too short a hash', suspect, ['--similar-hash', '1f'], 'which shows 1f0c93ab'],
    ['a row that is none', aRowDetail({ state: 'paid' }), [], 'row INV-1 is paid'],
    ['no reason', suspect, ['--reason', ' '], 'must say why it is to be paid all the same'],
  ])('refuses %s, and releases nothing', async (_what, detail, args, said) => {
    const { application, run } = await aLineWithASuspect(detail);
    const { code, stderr } = await run([...RELEASE, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(application.resolved).toEqual([]);
  });

  it('is only for users who decide', async () => {
    const { application, run } = await aLineWithASuspect();
    expect((await run(RELEASE, { role: 'maker' })).code).toBe(4);
    expect(application.resolved).toEqual([]);
    application.failures.set(
      'releaseRow',
      new ApplicationError('not_allowed', 'the maker of a run cannot release a row of it'),
    );
    expect((await run(RELEASE)).code).toBe(4);
  });
});

describe('show --row', () => {
  it('lists the rows that a suspected duplicate resembles, and how to release it', () => {
    const text = renderRowDetail(aRun(), suspect);
    expect(text).toMatch(
      /february\.csv +7 +INV-0 +Budi +4567890123.* +SGD 10\.00 +IDR 120,000 +paid +2026-01-05 09:00 UTC +2026-01-05 09:12 UTC +018f2a00-0000-7000-8000-000000000002/,
    );
    expect(text).toContain(`payrun release ${RUN} --row INV-1 --similar-hash 1f0c93ab --reason TEXT`);
  });

  it('shows who released it, and why', () => {
    const by = { userId: 'user-checker', name: 'Chris' };
    const release = { by, reason: 'another\u001b[2J month', at: '2026-01-06T09:00:00.000Z' };
    const text = renderRowDetail(aRun(), aRowDetail({ state: 'paid', release }));
    expect(text).toContain('Suspected duplicate, released by Chris on 2026-01-06 09:00 UTC: another');
    expect(text).not.toContain('\u001b');
  });
});
