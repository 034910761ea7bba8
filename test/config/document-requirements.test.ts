import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocumentRequirements } from '../../config/document-requirements.ts';
import { DEFAULT_DOCUMENT_REQUIREMENTS } from '../../domain/onboarding/document-requirements.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

function read(...lines: string[]): ReturnType<typeof readDocumentRequirements> {
  const file = join(temporaryFolder(), 'documents.yaml');
  writeFileSync(file, lines.join('\n'));
  return readDocumentRequirements(file);
}

describe('the file of required documents', () => {
  test('lists entries, of which those without countries are for any', () => {
    expect(
      read(
        '- account_type: individual',
        '  countries: [SG, NO]',
        '  documents: [[passport, nric], [utility_bill]]',
        '- account_type: individual',
        '  documents: [[passport]]',
        '- account_type: company',
        '  countries: null',
        '  documents: []',
      ),
    ).toEqual([
      { accountType: 'individual', countries: ['SG', 'NO'], documents: [['passport', 'nric'], ['utility_bill']] },
      { accountType: 'individual', countries: null, documents: [['passport']] },
      { accountType: 'company', countries: null, documents: [] },
    ]);
  });

  test('is the default where there is none', () => {
    expect(readDocumentRequirements(null)).toBe(DEFAULT_DOCUMENT_REQUIREMENTS);
  });

  test('has all its mistakes named at once, with their places', () => {
    const wrong = () =>
      read(
        '- account_type: person',
        '  countries: [sg]',
        '  documents: [[pasport], []]',
        '- account_type: company',
        '  document: x',
      );
    for (const place of [
      'line 1: account_type: give one of',
      'line 2: countries: give the two capital letters',
      'line 3: documents: give one of',
      'line 3: documents: give at least one type',
      'line 4: documents: give a list of documents',
      'line 5: document: an entry has only',
    ]) {
      expect(wrong).toThrow(place);
    }
  });

  test.each(['', '[]', 'a: b: c', '- *x'])('is refused as %j', (text) => {
    expect(() => read(text)).toThrow('documents.yaml');
  });
});
