import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkApplicants, type CheckContext } from '../../application/onboarding/check-applicants.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { DEFAULT_DOCUMENT_REQUIREMENTS } from '../../domain/onboarding/document-requirements.ts';
import { FILE_KIND_BYTES } from '../../domain/payment-file/supporting-file-kind.ts';
import { countryEntries } from '../../sandbox/corridors/countries.ts';

const examples = new URL('../../examples/onboarding/', import.meta.url);
const documents = new URL('files/', examples);

/** The list of the sandbox, so that the two cannot drift apart. */
const countries = countryEntries.map(({ iso3166TwoLetterCode, ituTelephoneCode, commonName }) => ({
  code: iso3166TwoLetterCode,
  diallingCode: ituTelephoneCode,
  name: commonName,
}));

const namedIn = (text: string) => readdirSync(documents).filter((name) => text.includes(name));

/** With the documents that the example names. */
async function checkExample(
  name: string,
): Promise<{ applicants: readonly Applicant[]; contentTypes: ReadonlyMap<string, string> }> {
  const content = readFileSync(new URL(name, examples));
  const files: CheckContext['files'] = new Map(
    namedIn(content.toString('utf8')).map((fileName) => {
      const url = new URL(fileName, documents);
      return [fileName, { sizeBytes: statSync(url).size, firstBytes: readFileSync(url).subarray(0, FILE_KIND_BYTES) }];
    }),
  );
  const context = { files, countries, requirements: DEFAULT_DOCUMENT_REQUIREMENTS, today: '2026-11-23' };
  const checked = await checkApplicants(
    { fileName: name, format: name.endsWith('.csv') ? 'sheet' : 'yaml', content },
    context,
  );
  if (checked.kind === 'refused') throw new Error(`${name}: ${JSON.stringify(checked.problems, null, 2)}`);
  return checked;
}

describe('the examples of applicants', () => {
  test('individual.yaml is a person with two documents', async () => {
    const { applicants, contentTypes } = await checkExample('individual.yaml');
    expect(applicants).toMatchObject([{ accountType: 'individual', company: null, details: { postalCode: '000101' } }]);
    expect([...contentTypes.values()]).toEqual(['image/jpeg', 'application/pdf']);
  });

  test('company.yaml is a company with its contact and three documents', async () => {
    const { applicants, contentTypes } = await checkExample('company.yaml');
    expect(applicants).toMatchObject([
      { accountType: 'company', company: { companyName: 'Naranjas de Ejemplo S.L.' } },
    ]);
    expect(contentTypes.size).toBe(3);
  });

  test('applicants.csv is 20 persons and five companies; two are asked to resubmit and one is rejected by the sandbox', async () => {
    const { applicants, contentTypes } = await checkExample('applicants.csv');
    expect(applicants).toHaveLength(25);
    expect(applicants.filter(({ company }) => company !== null)).toHaveLength(5);
    const having = (word: string) =>
      applicants.filter(({ details }) => details.firstName.split(' ').includes(word)).length;
    expect([having('RESUBMIT'), having('REJECTED')]).toEqual([2, 1]);
    expect(new Set(contentTypes.values()).size).toBe(3);
  });

  test('every document is named by one example, and every mail address is nobody’s', async () => {
    const names = ['individual.yaml', 'company.yaml', 'applicants.csv'];
    const texts = names.map((name) => readFileSync(new URL(name, examples), 'utf8'));
    expect(texts.flatMap(namedIn).sort()).toEqual(readdirSync(documents).sort());
    const checked = await Promise.all(names.map(async (name) => checkExample(name)));
    const addresses = checked.flatMap(({ applicants }) => applicants.map(({ email }) => email));
    expect(addresses.filter((address) => !/@example\.(com|org)$/.test(address))).toEqual([]);
  });
});
