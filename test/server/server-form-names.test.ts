import { describe, expect, it } from 'vitest';
import { anApp } from './server-harness.ts';
import { CASE, aCaseDetail } from './case-records.ts';

/** Names and fields of forms, as `FormData` would not send them. */

const BOUNDARY = 'XBOUNDX';
const FORMS = [
  { as: 'maker', url: '/api/v1/runs', main: 'file', files: 'files', name: 'payroll.csv' },
  { as: 'maker', url: '/api/v1/drafts', main: 'file', files: 'files', name: 'payroll.csv' },
  { as: 'onboarder', url: '/api/v1/cases', main: 'file', files: 'documents', name: 'applicants.csv' },
  { as: 'onboarder', url: `/api/v1/cases/${CASE}/supply`, main: 'file', files: 'documents', name: 'applicants.csv' },
] as const;

interface Part {
  field: string;
  /** Percent-encoded; absent: no file. */
  fileName?: string;
  content?: string;
}

function part({ field, fileName, content = 'x' }: Part): string {
  const file = fileName === undefined ? '' : `; filename*=UTF-8''${fileName}`;
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"${file}\r\n\r\n${content}\r\n`;
}

async function send({ as: role, url }: (typeof FORMS)[number], parts: Part[]) {
  const { as, application } = anApp();
  application.cases.set(CASE, aCaseDetail());
  const response = await as(role, {
    method: 'POST',
    url,
    payload: Buffer.from(`${parts.map(part).join('')}--${BOUNDARY}--\r\n`),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  return { response, taken: [...application.submissions, ...application.received] };
}

describe.each(FORMS)('the form of $url', (form) => {
  const own: Part = { field: form.main, fileName: form.name };
  it.each<[string, Part[]]>([
    ['the name of its file', [{ field: form.main, fileName: `a%00${form.name}` }]],
    ['the name of another file', [own, { field: form.files, fileName: 'a%00.pdf' }]],
    ['a field', [own, { field: 'account', content: 'de\0fault' }]],
    ['a field of JSON', [own, { field: 'profile', content: '{"name":"U\\u0000D"}' }]],
  ])('is refused with NUL in %s', async (_place, parts) => {
    const { response, taken } = await send(form, parts);
    expect([response.statusCode, taken]).toEqual([400, []]);
    expect(response.json()).toMatchObject({ error: { code: 'invalid_input' } });
  });

  it.each([
    ['reorders what is shown', 'pay%E2%80%AE', 'invisible'],
    ['changes colours', 'pay%1B%5B31m', 'invisible'],
    ['is longer than file systems allow', 'x'.repeat(300), '255'],
  ])('is refused with a file whose name %s', async (_what, name, message) => {
    const { response, taken } = await send(form, [{ field: form.main, fileName: `${name}${form.name}` }]);
    expect([response.statusCode, taken]).toEqual([400, []]);
    expect(response.json<{ error: { message: string } }>().error.message).toContain(message);
  });
});
