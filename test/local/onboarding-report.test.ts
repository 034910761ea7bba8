import { expect, test } from 'vitest';
import { caseTable, onboardingNextSteps, userLedgerTable } from '../../local/demo/onboarding-report.ts';
import { aCaseDetail } from '../server/case-records.ts';

test('the demo ends with the commands that onboard the first applicant', () => {
  const steps = onboardingNextSteps(false).join('\n');
  for (const command of ['up', 'users examples', 'onboard submit', 'onboard watch']) {
    expect(steps).toContain(`bin/payrun ${command}`);
  }
});

test('the demo names states as commands take them, and says why more files than documents were uploaded', () => {
  expect(caseTable([aCaseDetail({ state: 'needs_provider' })])).toContain('needs_provider');
  const ledger = {
    ...{ users: { approved: 2 }, signedUpMoreThanOnce: [], rejectedByLimit: 0, mostInAnySecond: 5, credentialLeaks: 0 },
    requests: { total: 9, byOperation: { 'document-upload-file': 6 } },
  };
  expect(userLedgerTable(3, ledger)).toMatch(/a document that was supplied again counts twice +6/);
});
