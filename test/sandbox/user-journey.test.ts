import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { defaultOptions, type SandboxOptions } from '../../sandbox/config/options.ts';
import { seededVariants, resolvedOptions } from '../../sandbox/config/resolved-options.ts';
import type { SeededVariant } from '../../sandbox/config/user-variants.ts';
import { aReceiver, type Received } from './a-receiver.ts';
import { aSandbox, asText, type Caller, type Loose } from './a-sandbox.ts';
import { aCompany, allDetails, aSignUp } from './sample-users.ts';
import { eventually } from '../helpers/until.ts';

const SEEDS = [1, 4, 5, 6, 7, 8, 35];
const OLD_PAGES = new Uint8Array([137, 80, 78, 71, 0, 255]);
const NEW_PAGES = new Uint8Array([137, 80, 78, 71, 1, 254]);

/**
 * A caller that takes every answer that the contract allows: without an id, in either spelling, as object or text, with
 * the status of before.
 */
class Applicant {
  readonly caller: Caller;
  readonly #received: readonly Received[];
  userId = '';

  constructor(caller: Caller, received: readonly Received[]) {
    this.caller = caller;
    this.#received = received;
  }

  async signUp(differences: Record<string, unknown>): Promise<void> {
    const { status, body } = await this.caller.post('/v2/signup', { ...aSignUp, ...differences });
    expect(status).toBe(200);
    if (typeof body['userId'] === 'string') this.userId = body['userId'];
    // A user that no answer named is known by its notification.
    else this.userId = await eventually(() => asText(this.#received.at(-1)!.body['resourceId']));
  }

  async read(): Promise<Loose> {
    return this.#ok('GET', '');
  }

  /** The missing details; null where the status is a text that lists none. */
  async missing(): Promise<readonly string[] | null> {
    const { status } = await this.#ok('GET', '/detail');
    return typeof status === 'string' ? null : (status!['missing_fields'] as unknown as string[]);
  }

  async updateDetails(details: unknown): Promise<void> {
    await this.#ok('PATCH', '/detail', details);
  }

  async updateCompany(): Promise<void> {
    const path = `/v2/company/${asText((await this.read())['accountId'])}`;
    expect((await this.caller.send('PATCH', path, aCompany)).status).toBe(200);
    const { city, postalCode } = (await this.caller.get(path)).body;
    expect([city, asText(postalCode)]).toEqual(['Singapore', '18956']);
  }

  async createDocument(documentName: string, bytes: Uint8Array): Promise<string> {
    const created = await this.#ok('POST', '/documents', { documentType: 'company_proof', documentName });
    await this.#upload(created, bytes);
    return asText(created['id']);
  }

  async replaceDocument(documentId: string, bytes: Uint8Array): Promise<void> {
    await this.#upload(await this.#ok('PATCH', `/documents/${documentId}`, {}), bytes);
  }

  async expectDocument(documentId: string, bytes: Uint8Array): Promise<void> {
    const { value } = await this.#ok('GET', '/documents');
    const listed = (value as unknown as Loose[]).find(({ id }) => asText(id) === documentId)!;
    for (const document of [listed, await this.#ok('GET', `/documents/${documentId}`)]) {
      const answer = await fetch(asText(document['downloadUrl'] ?? document['downloadURL']));
      expect(digestOf(new Uint8Array(await answer.arrayBuffer()))).toBe(digestOf(bytes));
    }
  }

  /** Requests a screening; the answer has the new status or the one before. */
  async screen(before: string): Promise<void> {
    const { userId, status } = await this.#ok('POST', '/screen');
    expect(asText(userId)).toBe(this.userId);
    expect(['pending_approval', before]).toContain(asText(status));
    expect((await this.read())['status']).toBe('pending_approval');
  }

  async #upload(document: Loose, bytes: Uint8Array): Promise<void> {
    const address = asText(document['uploadUrl'] ?? document['uploadURL']);
    const answer = await fetch(address, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes });
    expect(answer.status).toBe(200);
  }

  async #ok(method: string, path: string, body?: unknown): Promise<Loose> {
    const answer = await this.caller.send(method, `/v2/users/${this.userId}${path}`, body);
    expect([method, path, answer.status, answer.text]).toEqual([method, path, 200, answer.text]);
    return answer.body;
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function anApplicant(seed: number, options: Partial<SandboxOptions> = {}): Promise<Applicant> {
  const { url, received } = await aReceiver();
  const seeded = { seed, answers: 'seeded', screeningOutcome: 'approved', webhookUrl: url } as const;
  return new Applicant(await (await aSandbox({ ...seeded, ...options })).signIn(), received);
}

test('the seeds together draw every value of every variant', () => {
  const resolved = SEEDS.map((seed) => resolvedOptions({ ...defaultOptions, seed }));
  for (const variant of Object.keys(seededVariants) as SeededVariant[])
    expect(new Set(resolved.map((options) => options[variant]))).toEqual(new Set(seededVariants[variant]));
});

test.each(SEEDS)('with seed %d a company goes the whole way, with one resubmission', async (seed) => {
  const applicant = await anApplicant(seed);
  const { sandbox } = applicant.caller;
  await applicant.signUp({ firstName: 'RESUBMIT Mei' });
  expect(['pending_phone', 'pending_docs', 'pending']).toContain(asText((await applicant.read())['status']));
  const missing = await applicant.missing();
  if (missing !== null) expect(missing).toEqual(expect.arrayContaining(Object.keys(allDetails)));
  await applicant.updateDetails(allDetails);
  expect((await applicant.read())['status']).toBe('pending_docs');
  await applicant.updateCompany();
  const documentId = await applicant.createDocument('first', OLD_PAGES);
  await applicant.createDocument('second', OLD_PAGES);
  await applicant.expectDocument(documentId, OLD_PAGES);
  expect(['[]', 'null']).toContain(JSON.stringify(await applicant.missing()));
  await applicant.screen('pending_docs');
  sandbox.advance(12_000);
  expect(await applicant.read()).toMatchObject({
    status: 'documents_need_resubmission',
    remarks: 'The photo is blurred: upload the documents again',
  });
  await applicant.replaceDocument(documentId, NEW_PAGES);
  await applicant.expectDocument(documentId, NEW_PAGES);
  await applicant.screen('documents_need_resubmission');
  sandbox.advance(12_000);
  expect((await applicant.read())['status']).toBe('approved');
  expect(sandbox.ledger()).toMatchObject({ users: { approved: 1 }, signedUpMoreThanOnce: [], credentialLeaks: 0 });
});

test.each(SEEDS)('with seed %d a screening with missing details changes nothing', async (seed) => {
  const applicant = await anApplicant(seed);
  await applicant.signUp({ accountType: 'individual' });
  const { gender, ...others } = allDetails;
  await applicant.updateDetails(others);
  const asked = await applicant.caller.send('POST', `/v2/users/${applicant.userId}/screen`);
  expect([200, 400, 409, 422]).toContain(asked.status);
  expect((await applicant.read())['status']).toBe('pending_docs');
  await applicant.updateDetails({ gender });
  await applicant.screen('pending_docs');
});

test.each(SEEDS)('with seed %d a rejected user has remarks or none', async (seed) => {
  const applicant = await anApplicant(seed);
  await applicant.signUp({ firstName: 'REJECTED', accountType: 'individual' });
  await applicant.updateDetails(allDetails);
  await applicant.screen('pending_docs');
  applicant.caller.sandbox.advance(12_000);
  const { status, remarks } = await applicant.read();
  expect(status).toBe('rejected');
  expect(['The identity could not be verified', null]).toContain(remarks ?? null);
});
