import { describe, expect, test } from 'vitest';
import { DOCUMENT_TYPES, documentTypeOfSlot } from '../../domain/onboarding/choices.ts';
import {
  DEFAULT_DOCUMENT_REQUIREMENTS,
  type DocumentRequirements,
  missingDocuments,
} from '../../domain/onboarding/document-requirements.ts';
import { contentTypesOf } from '../../domain/onboarding/check-documents.ts';
import { repeatProblems } from '../../domain/onboarding/check-repeats.ts';
import {
  aCompany,
  aFile,
  anIndividual,
  check,
  found,
  PERSON_DOCUMENTS,
  termsWith,
  validOf,
} from './onboarding-applicants.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = Buffer.from('\xff\xd8\xff\xe0', 'latin1');
const WORD = Buffer.from('PK\u0003\u0004', 'latin1');

const withPassport = (fileName: string) => anIndividual({}, { ...PERSON_DOCUMENTS, passport: fileName });
const having = (name: string, file = aFile()) => termsWith({ files: { [name]: file } });

describe('a slot', () => {
  test.each([...DOCUMENT_TYPES])('may be %s, and have further files', (type) => {
    expect([type, `${type}_2`, `${type}_20`].map(documentTypeOfSlot)).toEqual([type, type, type]);
  });

  test.each(['', 'visa', 'passport_1', 'passport_0', 'passport_02', 'passport_21', 'passport_', 'Passport', '_2'])(
    'may not be %j',
    (slot) => {
      expect(documentTypeOfSlot(slot)).toBeNull();
    },
  );
});

describe('the file of a document', () => {
  test('may be a PDF, PNG or JPEG by its first bytes, whatever its name', () => {
    const files = {
      'scan.pdf': aFile(),
      'photo.jpg': aFile({ firstBytes: PNG }),
      'photo-2': aFile({ firstBytes: JPEG }),
    };
    const raw = anIndividual({}, { passport: 'scan.pdf', utility_bill: 'photo.jpg', passport_2: 'photo-2' });
    const { documents } = validOf(raw, termsWith({ files }));
    expect(documents).toEqual([
      { slot: 'passport', documentType: 'passport', fileName: 'scan.pdf' },
      { slot: 'utility_bill', documentType: 'utility_bill', fileName: 'photo.jpg' },
      { slot: 'passport_2', documentType: 'passport', fileName: 'photo-2' },
    ]);
    expect([...contentTypesOf(documents, new Map(Object.entries(files)))]).toEqual([
      ['scan.pdf', 'application/pdf'],
      ['photo.jpg', 'image/png'],
      ['photo-2', 'image/jpeg'],
    ]);
  });

  test.each([
    ['must be given', withPassport('other.pdf'), termsWith(), 'document_missing'],
    ['is no Word file', withPassport('p.pdf'), having('p.pdf', aFile({ firstBytes: WORD })), 'document_type'],
    [
      'is no text',
      withPassport('p.pdf'),
      having('p.pdf', aFile({ firstBytes: Buffer.from('hello') })),
      'document_type',
    ],
    ['is not empty', withPassport('p.pdf'), having('p.pdf', aFile({ sizeBytes: 0 })), 'document_empty'],
    // Contract: account 2.6 and 8: 10 Mb.
    [
      'has at most 10,485,760 bytes',
      withPassport('p.pdf'),
      having('p.pdf', aFile({ sizeBytes: 10_485_761 })),
      'document_too_large',
    ],
    ['is named without a folder', withPassport('scans/p.pdf'), having('scans/p.pdf'), 'document_name'],
    ['is named without a Windows folder', withPassport('C:\\p.pdf'), having('C:\\p.pdf'), 'document_name'],
    ['is no folder', withPassport('..'), having('..'), 'document_name'],
    ['has a name without invisible characters', withPassport('p\u202efdp'), having('p\u202efdp'), 'control_character'],
  ])('%s', (_rule, raw, terms, code) => {
    const checked = check(raw, terms);
    expect(found(checked)).toEqual([`document_passport ${code}`]);
    expect(checked.problems[0]).toMatchObject({ line: 2, applicantRef: 'EX-1' });
  });

  test('may have exactly 10,485,760 bytes', () => {
    expect(found(check(withPassport('p.pdf'), having('p.pdf', aFile({ sizeBytes: 10_485_760 }))))).toEqual([]);
  });

  test('is found by a name whose accents are written another way, and keeps the name under which it was given', () => {
    const given = 'José.pdf'.normalize('NFD');
    expect(validOf(withPassport('José.pdf'.normalize('NFC')), having(given)).documents[0]?.fileName).toBe(given);
  });

  test('is of one document: two persons with the same file are both problems, and one person who names it twice', () => {
    const other = { ...anIndividual({ applicant_ref: 'EX-2' }, { photo: 'passport.pdf' }), line: 3 };
    const shared = repeatProblems('a.csv', [anIndividual({ email: undefined }), other]);
    expect(shared.map(({ field, code, applicantRef }) => [field, code, applicantRef])).toEqual([
      ['document_passport', 'document_repeated', 'EX-1'],
      ['document_photo', 'document_repeated', 'EX-2'],
    ]);
    const twice = repeatProblems('a.csv', [anIndividual({}, { nric: 'one.pdf', photo: 'one.pdf' })]);
    expect(twice.map(({ problem }) => problem)).toEqual([
      'document_photo names the same file',
      'document_nric names the same file',
    ]);
  });
});

describe('the documents that are required', () => {
  const requirements: DocumentRequirements = [
    { accountType: 'individual', countries: ['SG', 'ID'], documents: [['nric', 'ktp']] },
    { accountType: 'individual', countries: null, documents: [['passport'], ['utility_bill', 'phone_bill']] },
    { accountType: 'company', countries: ['GB'], documents: [['company_proof']] },
  ];
  const missing = (accountType: 'individual' | 'company', country: string | null, ...given: string[]) =>
    missingDocuments(requirements, { accountType, country }, new Set(given));

  test('are those of the first entry for the account type and the country', () => {
    expect(missing('individual', 'SG')).toEqual([['nric', 'ktp']]);
    expect(missing('individual', 'ES')).toEqual([['passport'], ['utility_bill', 'phone_bill']]);
    expect(missing('company', 'GB')).toEqual([['company_proof']]);
  });

  test('of several types one is enough', () => {
    expect(missing('individual', 'ID', 'ktp')).toEqual([]);
    expect(missing('individual', 'ES', 'passport', 'phone_bill')).toEqual([]);
    expect(missing('individual', 'ES', 'phone_bill', 'utility_bill')).toEqual([['passport']]);
  });

  test('are none where no entry matches', () => {
    expect(missing('company', 'SG')).toEqual([]);
  });

  test('are not guessed for an unknown country', () => {
    expect(missing('individual', null)).toEqual([]);
    const any = DEFAULT_DOCUMENT_REQUIREMENTS;
    expect(missingDocuments(any, { accountType: 'individual', country: null }, new Set())).toHaveLength(2);
  });

  test('go by the country of the sign-up', () => {
    const terms = termsWith({ requirements });
    expect(found(check(anIndividual(), terms))).toEqual(['document_nric document_required']);
    expect(found(check(anIndividual({ sign_up_country: 'ES' }), terms))).toEqual([]);
  });

  test('by default: who a person is and where they live; that a company exists, where it is, and its contact', () => {
    const terms = termsWith({ requirements: DEFAULT_DOCUMENT_REQUIREMENTS });
    expect(found(check(anIndividual({}, {}), terms))).toEqual([
      'document_passport document_required',
      'document_utility_bill document_required',
    ]);
    expect(found(check(aCompany({}, {}), terms))).toEqual([
      'document_company_proof document_required',
      'document_company_address_proof document_required',
      'document_passport document_required',
    ]);
    expect(found(check(anIndividual(), terms))).toEqual([]);
    expect(found(check(aCompany(), terms))).toEqual([]);
  });

  test('are given also where their file is wrong, which is its own problem', () => {
    expect(found(check(withPassport('none.pdf')))).toEqual(['document_passport document_missing']);
  });
});
