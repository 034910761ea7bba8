import { describe, expect, it } from 'vitest';
import { refusalsInWords } from '../../domain/payments/refusal-streak.ts';
import { aRun, aStop } from '../server/application-records.ts';
import { aCommandLine } from './cli-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';

describe('stop', () => {
  it('says what is sent already, what will not be paid, and what to do next', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun());
    const { code, stdout } = await run(['stop', RUN, '--reason', 'wrong month']);
    expect(code).toBe(0);
    expect(stdout).toContain('0 already sent, 3 will not be paid');
    expect(stdout).toContain(`payrun cancel ${RUN}`);
    expect(stdout).toContain(`payrun resume ${RUN}`);
    expect(application.calls).toMatchObject([
      { method: 'stopPayments', asked: { scope: 'run', runId: RUN, reason: 'wrong month' } },
    ]);
  });

  it('succeeds even if nothing else can be requested', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun());
    application.stopCounts = null;
    application.failures.set('listChanges', new Error('the database does not answer'));
    const { code, stdout, stderr } = await run(['stop', RUN]);
    expect(code).toBe(0);
    expect(stdout).toContain('Stopped. Nothing more of the run is sent');
    expect(stdout).toContain(`payrun show ${RUN}`);
    expect(stderr).toBe('To see who acted: payrun whoami\n');
  });

  it('of an account or of everything is the same command', async () => {
    const { application, run } = await aCommandLine();
    expect((await run(['stop', '--account', 'asia'])).code).toBe(0);
    expect((await run(['stop', '--all'])).code).toBe(0);
    expect(application.calls.map(({ asked }) => asked)).toMatchObject([
      { scope: 'account', account: 'asia' },
      { scope: 'all' },
    ]);
  });

  it.each([[[]], [[RUN, '--all']], [['--all', '--account', 'asia']]])(
    'of %j is a mistake, and stops nothing',
    async (args) => {
      const { application, run } = await aCommandLine();
      expect((await run(['stop', ...args])).code).toBe(2);
      expect(application.calls).toEqual([]);
    },
  );
});

describe('resume', () => {
  it('requests the lift of the stop, and says that a second person confirms', async () => {
    const { application, run } = await aCommandLine();
    application.stops = [aStop({ scope: 'all', runId: null, stopId: '018f2a00-0000-7000-8000-0000000000d9' }), aStop()];
    const { code, stdout } = await run(['resume', RUN]);
    expect([code, stdout]).toEqual([
      0,
      'Requested. Nothing is sent until another person, a checker, runs the same command.\n',
    ]);
    expect(application.calls).toMatchObject([
      { method: 'liftStop', asked: { stopId: aStop().stopId, liftRequestedBy: null } },
    ]);
  });

  it('is wrong input if nothing is stopped', async () => {
    const { run } = await aCommandLine();
    const { code, stderr } = await run(['resume', '--all']);
    expect(code).toBe(2);
    expect(stderr).toContain('payrun stops');
  });
});

describe('stops', () => {
  it('are listed with user, reason and state, safe for a terminal', async () => {
    const { application, run } = await aCommandLine();
    application.stops = [
      aStop({ liftRequestedBy: { userId: 'user-checker', name: 'Chris' } }),
      aStop({ isCancelled: true }),
    ];
    const { stdout } = await run(['stops']);
    expect(stdout).toContain('wrong month');
    expect(stdout).toContain('Chris asked to lift it; another person, a checker, confirms');
    expect(stdout).toContain('Cancelled for good');
    expect(stdout).not.toContain('\u001b');
  });

  it('that payrun has made by itself say so, and why', async () => {
    const { application, run } = await aCommandLine();
    const refusals = { step: 'create', httpStatus: 422, errorCode: 'not_enabled', count: 10 } as const;
    const reason = refusalsInWords(refusals);
    const stop = aStop({ stoppedBy: null, reason, refusals });
    application.stops = [stop];
    application.runs.set(RUN, aRun({ state: 'paused', stops: [stop] }));
    expect((await run(['stops'])).stdout).toMatch(/ payrun +the provider refused 10 rows/);
    expect((await run(['show', RUN])).stdout).toContain(`by payrun: ${reason}`);
  });
});
