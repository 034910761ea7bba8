import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportCase } from '../../application/onboarding/export-case.ts';
import { findCaseDocument } from '../../application/onboarding/case-views.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { openCase } from '../../store/onboarding/case-content.ts';
import {
  confirmCaseResolutionAs,
  denyCaseResolutionAs,
  eraseCaseAs,
  proposeCaseResolutionAs,
  supplyCaseAs,
} from '../../store/onboarding/case-decisions.ts';
import { listCaseResolutions } from '../../store/onboarding/case-views.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
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

describe('a denial', () => {
  const proposed = async (caseId: string): Promise<string> => {
    const proposal = { caseId, outcome: 'never_created', userId: null, reason: 'they said so' };
    await proposeCaseResolutionAs(testDatabase.asServer, olivia.proof, proposal);
    return (await listCaseResolutions(testDatabase.asServer, caseId)).at(-1)?.resolutionId ?? '';
  };

  test('is shown with who denied it and why, and taking one’s own proposal back as such', async () => {
    const { asServer } = testDatabase;
    const caseId = await aStoredCase(testDatabase, olivia, 'unknown');
    await denyCaseResolutionAs(asServer, chris.proof, await proposed(caseId), 'another applicant');
    await denyCaseResolutionAs(asServer, olivia.proof, await proposed(caseId), 'a mistake');
    const confirmed = await proposed(caseId);
    await confirmCaseResolutionAs(asServer, chris.proof, confirmed);
    const by = ({ userId }: TestUser, name: string) => ({ userId, name });
    expect(await listCaseResolutions(asServer, caseId)).toMatchObject([
      { state: 'denied', closedBy: by(chris, 'Chris'), closingReason: 'another applicant', reason: 'they said so' },
      { state: 'denied', closedBy: by(olivia, 'Olivia'), closingReason: 'a mistake' },
      { state: 'proposed', closedBy: null, closingReason: null },
    ]);
    await bypassTriggers(
      testDatabase.database,
      `update cases set state = 'withdrawn', ended_at = now() where case_id = $1`,
      [caseId],
    );
    await eraseCaseAs(asServer, ada.proof, caseId);
    const [erased] = await listCaseResolutions(asServer, caseId);
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
    const seal = await openCase(asServer, TEST_DATA_KEYS, caseId);
    for (const [index, name] of ['Anne', 'Annika'].entries()) {
      const details = { firstName: name, lastName: 'Example' };
      const supplied = { caseId, seenRevision: index + 1, applicant: anApplicant({ details }), files: [file(name)] };
      await supplyCaseAs(asServer, olivia.proof, seal!, supplied);
      await bypassTriggers(testDatabase.database, `update cases set state = 'incomplete' where case_id = $1`, [caseId]);
    }
    const dependencies = { database: asServer, dataKeys: TEST_DATA_KEYS } as unknown as ApplicationDependencies;
    const user = { proof: olivia.proof, roles: ['onboarder'] } as unknown as SignedIn;
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
