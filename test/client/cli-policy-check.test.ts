import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCommandLine } from './cli-harness.ts';

describe('payrun policy', () => {
  it('check says of a run which rules and limits apply, and why, without proposing anything', async () => {
    const { application, folder, run } = await aCommandLine();
    application.ofRun = {
      currencies: [
        { currency: 'EUR', rule: 'large', skippedRules: [{ rule: 'abroad', unmetConditions: ['anyCountryOf'] }] },
        { currency: 'JPY', rule: null, skippedRules: [] },
      ],
      steps: [
        { step: 1, role: 'checker', logins: null, people: [{ userId: 'u1', name: 'Chris' }] },
        { step: 2, role: null, logins: ['cfo', 'ceo'], people: [] },
      ],
      limits: [
        {
          ...{ scope: 'all', period: 'day', currency: 'EUR', allowed: '50000.00', used: '49000.00', asked: '2000.00' },
          ...{ rowRef: null, missingRates: [], isPassed: true },
        },
        {
          ...{
            scope: 'beneficiary',
            period: 'week',
            currency: 'EUR',
            allowed: '9000.00',
            used: '0.00',
            asked: '10.00',
          },
          ...{ rowRef: 'INV-7', missingRates: [], isPassed: false },
        },
        {
          ...{ scope: 'maker', period: 'day', currency: 'EUR', allowed: '9000.00', used: null, asked: null },
          ...{ rowRef: null, missingRates: ['JPY'], isPassed: true },
        },
      ],
      needsSecondFactor: true,
    };
    await writeFile(join(folder, 'policy.json'), JSON.stringify(application.policy));
    const runId = '018f2a00-0000-7000-8000-000000000001';
    const { stdout } = await run(['policy', 'check', 'policy.json', '--run', runId]);
    expect(stdout.slice(stdout.indexOf('Run 018f')).trim().split('\n')).toEqual([
      `Run ${runId}`,
      '  EUR: the rule “large” applies. Not this rule before it: “abroad” asks for a bank in another country.',
      '  JPY: no rule fits, so the run cannot be approved.',
      '  Step 1 is for a checker: Chris could take it.',
      '  Step 2 is for cfo or ceo: nobody could take it now.',
      '  Each approval takes a second factor.',
      '  What is approved today: 49,000.00 EUR of 50,000.00 EUR, with this run 51,000.00 EUR. That is more, so the run cannot be approved today.',
      '  What is approved this week for the beneficiary of INV-7: 0.00 EUR of 9,000.00 EUR, with this run 10.00 EUR.',
      '  What is approved today of its maker, at most 9,000.00 EUR: there is no reference rate of the last five days for JPY, so the run cannot be approved.',
    ]);
    expect(application.calls).toEqual([]);
    const { stdout: json } = await run(['policy', 'check', 'policy.json', '--run', runId, '--json']);
    expect(JSON.parse(json)).toMatchObject({ ofRun: { needsSecondFactor: true } });
  });
});
