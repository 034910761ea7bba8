import type { FileToSubmit } from '../../client/sdk/submission.ts';

const PERSON = {
  account_type: 'individual',
  first_name: 'Bench',
  last_name: 'Applicant',
  mobile_country_code: '+65',
  mobile_number: '80000000',
  gender: 'female',
  country_of_birth: 'Singapore',
  nationality: 'SG',
  country_of_residence: 'SG',
  residential_address: '1 Example Road',
  country_code: 'SG',
  postal_code: '000001',
  date_of_birth: '1990-02-03',
  identification_type: 'passport',
  identification_number: 'X0000000',
  issue_date: '2020-02-03',
  expiry_date: '2040-02-03',
  employment_industry: 'Science',
  employment_status: 'Employed',
  employment_position: 'Entry Level',
};

/** Of each document: as large as a small scan. */
const DOCUMENT_BYTES = 20_000;

/** A CSV of so many persons with two documents each, all of them invented. */
export function applicantsFile(count: number): { fileName: string; content: string; documents: FileToSubmit[] } {
  const documents: FileToSubmit[] = [];
  const rows = Array.from({ length: count }, (_, index) => {
    const named = ['passport', 'utility_bill'].map((type) => `${type}-${index + 1}.pdf`);
    for (const name of named) {
      const bytes = Buffer.from(`%PDF-1.4\n% ${name}\n`.padEnd(DOCUMENT_BYTES, '.'));
      documents.push({ name, contentType: 'application/pdf', bytes });
    }
    return [`bench-${index + 1}`, `bench-${index + 1}@example.com`, ...Object.values(PERSON), ...named].join(',');
  });
  const header = ['applicant_ref', 'email', ...Object.keys(PERSON), 'document_passport', 'document_utility_bill'];
  return { fileName: 'bench.csv', content: [header.join(','), ...rows, ''].join('\n'), documents };
}
