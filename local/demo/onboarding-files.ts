import { fileURLToPath } from 'node:url';
import { readApplicantFiles } from '../../client/cli/onboarding/applicant-files.ts';
import type { ApplicantsToSubmit, CaseSupplyToSubmit } from '../../client/sdk/index.ts';

const FOLDER = fileURLToPath(new URL('../../examples/onboarding', import.meta.url));
const PERSON = 'individual.yaml';
const COMPANY = 'company.yaml';

/** The sandbox asks a user once for documents again whose first name contains this word. */
const RESUBMIT = 'RESUBMIT';

/** The examples as an onboarder would submit them, the person with a name on which the sandbox asks for documents again. */
export async function demoApplicants(): Promise<{ person: ApplicantsToSubmit; company: ApplicantsToSubmit }> {
  const person = await readApplicantFiles(FOLDER, PERSON, 'files');
  const text = Buffer.from(person.content).toString('utf8');
  return {
    person: { ...person, content: text.replace(/^first_name: .*$/m, `$& ${RESUBMIT}`) },
    company: await readApplicantFiles(FOLDER, COMPANY, 'files'),
  };
}

/** The person's identity document once more: a supply has only what is new. */
export async function demoSupply(): Promise<Omit<CaseSupplyToSubmit, 'revision'>> {
  const { documents } = await readApplicantFiles(FOLDER, PERSON, 'files');
  const passport = documents.filter(({ name }) => name.includes('passport'));
  const lines = passport.map(({ name }) => `documents:\n  passport: ${name}\n`);
  return { fileName: 'passport-again.yaml', content: lines.join(''), documents: passport };
}
