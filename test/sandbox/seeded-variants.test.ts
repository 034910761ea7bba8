import { expect, test } from 'vitest';
import { missingDetails, type UserDetails } from '../../sandbox/account/user.ts';
import { answerFormOf } from '../../sandbox/answers/answer-form.ts';
import { defaultOptions, type SandboxOptions } from '../../sandbox/config/options.ts';
import { seededVariants, type ResolvedOptions, resolvedOptions } from '../../sandbox/config/resolved-options.ts';
import { type SeededVariant, plainUserVariants } from '../../sandbox/config/user-variants.ts';
import type { Json } from '../../sandbox/core/json.ts';
import { Refusal } from '../../sandbox/core/refusal.ts';
import { drawRefusalWording } from '../../sandbox/answers/refusal-wording.ts';
import { userEvent } from '../../sandbox/webhooks/events.ts';

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);
const variants = Object.keys(seededVariants) as SeededVariant[];

const withSeed = (seed: number, changed: Partial<SandboxOptions> = {}): ResolvedOptions =>
  resolvedOptions({ ...defaultOptions, seed, ...changed });

test.each(variants)('%s is chosen by the seed, each of its values by some seeds', (variant) => {
  const drawn = new Set(SEEDS.map((seed) => withSeed(seed)[variant]));
  expect(drawn).toEqual(new Set(seededVariants[variant]));
  expect(withSeed(3)[variant]).toBe(withSeed(3)[variant]);
});

test('with plain answers every variant has one value, for every seed', () => {
  for (const seed of SEEDS) expect(withSeed(seed, { answers: 'plain' })).toMatchObject(plainUserVariants);
});

test('a variant that is set is not chosen by the seed', () => {
  for (const seed of SEEDS) {
    const set = withSeed(seed, { initialUserStatus: 'inactive', userDetailStatus: 'string' });
    expect([set.initialUserStatus, set.userDetailStatus]).toEqual(['inactive', 'string']);
  }
});

test('where a sign-up does not answer the id, every status is notified, unless a flag says otherwise', () => {
  const omitting = SEEDS.filter((seed) => withSeed(seed).signupUserId === 'omitted');
  expect(omitting.length).toBeGreaterThan(3);
  for (const seed of omitting) expect(withSeed(seed).userEvents).toBe('every');
  const set = withSeed(1, { signupUserId: 'omitted', userEvents: 'decisions' });
  expect([set.signupUserId, set.userEvents]).toEqual(['omitted', 'decisions']);
});

const aPerson: UserDetails = { firstName: 'Mei', lastName: 'Tan' };
const statusesOf = (
  missing: Parameters<typeof missingDetails>,
): { value: string; missing_fields: readonly string[] }[] =>
  SEEDS.map((seed) => answerFormOf({ answers: 'seeded', seed }).detailStatus(missingDetails(...missing)));

test('missing fields are fields of the contract, in any order, with or without those of the company', () => {
  const { details, company } = missingDetails(aPerson, { details: null });
  const allowed = new Set([...details, ...company, 'expiryDate']);
  const drawn = statusesOf([aPerson, { details: null }]);
  for (const { value, missing_fields: listed } of drawn) {
    expect(value).toBe('incomplete');
    expect(listed).toEqual(expect.arrayContaining([...details]));
    expect(listed.filter((field) => !allowed.has(field))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  }
  const lists = drawn.map(({ missing_fields: listed }) => listed);
  expect(new Set(lists.map((listed) => listed[0])).size).toBeGreaterThan(2);
  expect(new Set(lists.map((listed) => listed.includes('registrationNumber'))).size).toBe(2);
  expect(new Set(lists.map((listed) => listed.includes('expiryDate'))).size).toBe(2);
});

test('an expiry date is missing only while it may be needed, and complete details have one of several words', () => {
  const { details } = missingDetails(aPerson, null);
  const complete = Object.fromEntries(details.map((field) => [field, 'x']));
  const withNric = { ...aPerson, ...complete, identificationType: 'nric' };
  const drawn = statusesOf([withNric, null]);
  expect(drawn.filter(({ missing_fields: listed }) => listed.length > 0)).toEqual([]);
  expect(new Set(drawn.map(({ value }) => value)).size).toBeGreaterThan(2);
  for (const { missing_fields: listed } of statusesOf([{ ...withNric, identificationType: 'passport' }, null]))
    expect(listed).toEqual(['expiryDate']);
});

test('a notification of a user names its resource, or does not', () => {
  const event = userEvent({ id: 'u-1', status: 'approved' } as Parameters<typeof userEvent>[0]);
  const resources = SEEDS.map((seed) => {
    const form = answerFormOf({ answers: 'seeded', seed }).notification(event) as Record<string, Json | undefined>;
    expect(form).toMatchObject({ resourceId: 'u-1', status: 'approved' });
    return form['resource'] ?? null;
  });
  expect(new Set(resources)).toEqual(new Set(['user', null]));
});

test('the answer to a creation shows another status than awaiting_funds by some seeds, for some payments', () => {
  const ids = Array.from({ length: 40 }, (_, number) => `p-${number}`);
  const shown = SEEDS.map((seed) => {
    const { statusAtCreation } = answerFormOf({ answers: 'seeded', seed });
    expect(ids.map((id) => statusAtCreation(id, 'processing'))).toEqual(ids.map(() => 'processing'));
    return ids.map((id) => statusAtCreation(id, 'awaiting_funds'));
  });
  expect(new Set(shown.flat())).toEqual(new Set(['awaiting_funds', 'initiated', 'created', 'pending']));
  const always = shown.filter((statuses) => statuses.every((status) => status === 'awaiting_funds'));
  expect(always.length).toBeGreaterThan(15);
  expect(always.length).toBeLessThan(45);
  for (const statuses of shown) expect(statuses).toContain('awaiting_funds');
});

test.each(['email_taken', 'details_incomplete', 'account_status_not_allowed'])(
  'the refusal %s has several words and statuses, none of which says who the caller is',
  (code) => {
    const answers = SEEDS.map((seed) => drawRefusalWording(seed, new Refusal(400, code, 'a message')));
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(1);
    expect(answers.map(({ status }) => status)).not.toContain(403);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(5);
  },
);
