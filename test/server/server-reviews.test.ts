import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import type { RunReview } from '../../domain/runs/run-finding.ts';
import { ROLES, type Role } from '../../domain/users/role.ts';
import { aRowDetail } from './a-row-detail.ts';
import { anAccount, aRow, aRun } from './application-records.ts';
import { anApp } from './server-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const NO_RUN = '018f2a00-0000-7000-8000-000000000009';
/** Administrators, auditors and onboarders see neither names nor bank details. */
const MAY_READ: readonly Role[] = ['maker', 'checker', 'treasurer', 'viewer'];
/** Stands in everything of a row that not everyone may read. */
const SECRETS = [
  'Budi',
  'ben-SECRET',
  '4567890123',
  'bank code 014',
  'Bank Contoh',
  'SECRET reference',
  'SECRET purpose',
  'secret.pdf',
];

function anAppWithRows() {
  const app = anApp();
  const secrets = {
    beneficiaryId: 'ben-SECRET',
    bankAccount: anAccount(),
    reference: 'SECRET reference',
    purpose: 'SUPP',
    purposeDescription: 'SECRET purpose',
    files: ['secret.pdf'],
  };
  app.application.runs.set(RUN, aRun());
  app.application.rows = [aRow({ ...secrets, marks: ['account_changed'], payOn: '2026-12-01' })];
  const instruction = { ...secrets } as never;
  app.application.rowDetails.set('INV-1', aRowDetail({ ...secrets, instruction }));
  return app;
}

describe('rows', () => {
  it.each([...ROLES])(
    'show a %s names, bank details, reference, purpose and files only if the role allows it',
    async (role) => {
      const { as } = anAppWithRows();
      for (const url of [`/api/v1/runs/${RUN}/rows`, `/api/v1/runs/${RUN}/rows/INV-1`]) {
        const response = await as(role, { url });
        expect(response.statusCode).toBe(200);
        for (const secret of SECRETS)
          expect(response.body.includes(secret), `${url} ${secret}`).toBe(MAY_READ.includes(role));
        expect(response.body).toContain(`"isMasked":${String(!MAY_READ.includes(role))}`);
      }
    },
  );

  it('show everyone their marks and their day of payment', async () => {
    const { as } = anAppWithRows();
    const { rows } = (await as('administrator', { url: `/api/v1/runs/${RUN}/rows` })).json<{ rows: object[] }>();
    expect(rows).toMatchObject([
      {
        marks: ['account_changed'],
        payOn: '2026-12-01',
        bankAccount: null,
        country: null,
        files: null,
        isMasked: true,
      },
    ]);
  });

  it('of a user with several roles are shown by any of them', async () => {
    const { as, application } = anAppWithRows();
    const [token, onboarder] = [...application.users].find(([, { roles }]) => roles.includes('onboarder'))!;
    application.users.set(token, { ...onboarder, roles: ['onboarder', 'viewer'] });
    expect((await as('onboarder', { url: `/api/v1/runs/${RUN}/rows` })).body).toContain('4567890123');
  });
});

describe('a review', () => {
  const found = {
    id: 'account_changed:7',
    rows: ['INV-7'],
    rowCount: 1,
    amounts: [{ currency: 'EUR', amount: '48250.00' }],
  };
  const account = anAccount({ iban: 'LT121000011101001000', accountNumber: null, country: 'LT' });
  const review: RunReview = {
    contentHash: 'a'.repeat(64),
    findings: [
      {
        kind: 'file_submitted_before',
        runs: [{ runId: NO_RUN, fileName: 'a.csv', submittedAt: '2026-11-20T08:00:00.000Z', submittedBy: 'Mia Maker' }],
        runCount: 1,
      },
      {
        kind: 'account_changed',
        name: 'Winkler AG',
        from: anAccount({ country: 'DE' }),
        fromCount: 1,
        to: account,
        isOtherCountry: true,
        lastPaidOn: '2026-11-22',
        ...found,
      },
      {
        kind: 'routing_changed',
        name: 'Winkler AG',
        from: null,
        to: account,
        lastPaidOn: '2026-11-22',
        ...found,
      },
      {
        kind: 'account_has_other_names',
        account,
        names: [{ name: 'Winkler AG', rows: ['INV-7'], rowCount: 1 }],
        nameCount: 1,
        paidBefore: { names: ['Brandt GmbH'], nameCount: 1, lastPaidOn: '2026-11-22' },
        ...found,
      },
      { kind: 'details_unknown', beneficiaryId: 'an-id', reason: 'not_read', ...found },
      { kind: 'unusual_amount', name: 'Winkler AG', largestBefore: '1200.00', ...found },
      {
        kind: 'check_warning',
        ...{ code: 'iban_country_differs', column: 'bank_iban', problem: 'of another country', fix: 'compare both' },
        cells: [{ line: 7, rowRef: 'INV-7', value: 'LT121000011101001000' }],
        ...found,
      },
      { kind: 'failed_before', ...found },
      { kind: 'new_beneficiary', name: 'Fresh Ltd', account, ...found },
      { kind: 'pays_later', id: 'pays_later:2', day: '2026-12-01', rowCount: 25 },
    ],
    unlistedCounts: { new_beneficiary: 7 },
  };

  it('is answered completely', async () => {
    const { as, application } = anAppWithRows();
    application.review = review;
    const response = await as('checker', { url: `/api/v1/runs/${RUN}/review` });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(review);
  });

  it('of an unknown run is 404, and of a run that is still being checked 409', async () => {
    const { as, application } = anAppWithRows();
    expect((await as('viewer', { url: `/api/v1/runs/${NO_RUN}/review` })).statusCode).toBe(404);
    application.failures.set('findReview', new ApplicationError('conflict', 'the run is still being checked'));
    expect((await as('viewer', { url: `/api/v1/runs/${RUN}/review` })).statusCode).toBe(409);
  });
});

describe('supporting files', () => {
  const bytes = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 255]);

  async function download(name: string, contentType = 'application/pdf') {
    const { as, application } = anAppWithRows();
    application.files = [{ name, contentType, sizeBytes: bytes.byteLength, sha256: 'b'.repeat(64), bytes }];
    return as('checker', { url: `/api/v1/runs/${RUN}/files/${encodeURIComponent(name)}` });
  }

  it('are listed with type, size and hash', async () => {
    const { as, application } = anAppWithRows();
    const file = { name: 'a.pdf', contentType: 'application/pdf', sizeBytes: 6, sha256: 'b'.repeat(64) };
    application.files = [{ ...file, bytes }];
    expect((await as('checker', { url: `/api/v1/runs/${RUN}/files` })).json()).toEqual({ files: [file] });
    expect((await as('checker', { url: `/api/v1/runs/${NO_RUN}/files` })).statusCode).toBe(404);
  });

  it('are sent byte for byte, as a download that browsers neither sniff nor show', async () => {
    const response = await download('invoice 7.pdf');
    expect(response.statusCode).toBe(200);
    expect(new Uint8Array(response.rawPayload)).toEqual(bytes);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="invoice 7.pdf"; filename*=UTF-8''invoice%207.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['a"; filename="evil.exe', 'a__ filename__evil.exe', 'a%22%3B%20filename%3D%22evil.exe'],
    ['x\r\nset-cookie: a=b.pdf', 'x__set-cookie_ a_b.pdf', 'x%0D%0Aset-cookie%3A%20a%3Db.pdf'],
    ['Müller (株).pdf', 'M_ller ___.pdf', 'M%C3%BCller%20%28%E6%A0%AA%29.pdf'],
    ["it's 100%*.pdf", 'it_s 100__.pdf', 'it%27s%20100%25%2A.pdf'],
    ['\u202egnp.fdp', '_gnp.fdp', '%E2%80%AEgnp.fdp'],
  ])('of the name %j have headers that say nothing else', async (name, plain, extended) => {
    const response = await download(name);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="${plain}"; filename*=UTF-8''${extended}`,
    );
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  it.each(['é'.repeat(996), '株'.repeat(255), `${'long '.repeat(49)}name.pdf`])(
    'have names as long as %j',
    async (name) => {
      expect((await download(name)).statusCode).toBe(200);
    },
  );

  it.each(['text/html', 'image/svg+xml', 'application/pdf\r\nx: y', ''])(
    'that were stored as %j are given out as bytes alone',
    async (contentType) => {
      expect((await download('a.pdf', contentType)).headers['content-type']).toBe('application/octet-stream');
    },
  );

  it('that do not exist are 404, and impossible names are refused', async () => {
    const { as } = anAppWithRows();
    expect((await as('checker', { url: `/api/v1/runs/${RUN}/files/none.pdf` })).statusCode).toBe(404);
    expect((await as('checker', { url: `/api/v1/runs/${RUN}/files/a%00b.pdf` })).statusCode).toBe(400);
  });
});
