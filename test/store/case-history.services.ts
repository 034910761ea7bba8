import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportCase } from '../../application/onboarding/export-case.ts';
import { findCaseDocument } from '../../application/onboarding/case-views.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { readCaseCipher } from '../../store/onboarding/case-content.ts';
import {
  confirmCaseManualOutcomeAs,
  rejectCaseManualOutcomeAs,
  eraseCaseAs,
  proposeCaseManualOutcomeAs,
  supplyCaseAs,
} from '../../store/onboarding/case-decisions.ts';
import { listCaseManualOutcomes } from '../../store/onboarding/case-views.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { anApplicant, aStoredCase } from './a-stored-case.ts';

let testDatabase: TestDatabase;
let olivia: TestUser;
let chris: TestUser;
let ada: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  chris = await aUser(testDatabase, 'Chris', 'checker');
  ada = await aUser(testDatabase, 'Ada', 'administrator');
});
afterAll(() => testDatabase.drop());

describe('a rejection', () => {
  const proposed = async (caseId: string): Promise<string> => {
    const proposal = { caseId, outcome: 'never_created', userId: null, reason: 'they said so' };
    await proposeCaseManualOutcomeAs(testDatabase.asServer, olivia.tokenHash, proposal);
    return (await listCaseManualOutcomes(testDatabase.asServer, caseId)).at(-1)?.manualOutcomeId ?? '';
  };

  test('is shown with who rejected it and why, and taking one’s own proposal back as such', async () => {
    const { asServer } = testDatabase;
    const caseId = await aStoredCase(testDatabase, olivia, 'unknown');
    await rejectCaseManualOutcomeAs(asServer, chris.tokenHash, await proposed(caseId), 'another applicant');
    await rejectCaseManualOutcomeAs(asServer, olivia.tokenHash, await proposed(caseId), 'a mistake');
    const confirmed = await proposed(caseId);
    await confirmCaseManualOutcomeAs(asServer, chris.tokenHash, confirmed);
    const by = ({ userId }: TestUser, name: string) => ({ userId, name });
    expect(await listCaseManualOutcomes(asServer, caseId)).toMatchObject([
      { state: 'rejected', closedBy: by(chris, 'Chris'), closingReason: 'another applicant', reason: 'they said so' },
      { state: 'rejected', closedBy: by(olivia, 'Olivia'), closingReason: 'a mistake' },
      { state: 'proposed', closedBy: null, closingReason: null },
    ]);
    await bypassTriggers(
      testDatabase.database,
      `update cases set state = 'withdrawn', ended_at = now() where case_id = $1`,
      [caseId],
    );
    await byTwo(testDatabase, eraseCaseAs(asServer, ada.tokenHash, caseId));
    const [erased] = await listCaseManualOutcomes(asServer, caseId);
    expect(erased).toMatchObject({ closedBy: { name: 'Chris' }, closingReason: null, reason: null });
  });
});

describe('an export', () => {
  const file = (content: string) => ({
    slot: 'passport',
    documentType: 'passport',
    contentType: 'application/pdf',
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    fileName: `${content}.pdf`,
    read: () => Promise.resolve(Buffer.from(content)),
  });

  test('has every value and every file that was ever supplied', async () => {
    const { asServer } = testDatabase;
    const caseId = await aStoredCase(testDatabase, olivia, 'incomplete');
    const cipher = await readCaseCipher(asServer, TEST_DATA_KEYS, caseId);
    for (const [index, name] of ['Anne', 'Annika'].entries()) {
      const details = { firstName: name, lastName: 'Example' };
      const supplied = { caseId, seenRevision: index + 1, applicant: anApplicant({ details }), files: [file(name)] };
      await supplyCaseAs(asServer, olivia.tokenHash, cipher!, supplied);
      await bypassTriggers(testDatabase.database, `update cases set state = 'incomplete' where case_id = $1`, [caseId]);
    }
    const dependencies = { database: asServer, dataKeys: TEST_DATA_KEYS } as unknown as ApplicationDependencies;
    const user = { tokenHash: olivia.tokenHash, roles: ['onboarder'] } as unknown as SignedIn;
    const exported = await exportCase(dependencies, user, caseId);
    expect(exported.revisions.map(({ revision, values }) => [revision, values['first_name']])).toEqual([
      [1, 'Anna'],
      [2, 'Anne'],
      [3, 'Annika'],
    ]);
    expect(exported.documents).toMatchObject([{ slot: 'passport', revision: 3 }]);
    expect(exported.formerDocuments).toMatchObject([{ slot: 'passport', revision: 2, fileName: 'Anne.pdf' }]);
    const contentOf = async (revision: number | null) => {
      const found = await findCaseDocument(dependencies, caseId, { slot: 'passport', revision });
      return found === null ? null : Buffer.from(found.bytes).toString();
    };
    expect([await contentOf(null), await contentOf(3), await contentOf(2), await contentOf(1)]).toEqual([
      'Annika',
      'Annika',
      'Anne',
      null,
    ]);
  });
});
