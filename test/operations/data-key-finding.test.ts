import { expect, test } from 'vitest';
import { type DataKeys, explainMissingKeys } from '../../domain/personal-data/data-keys.ts';
import { dataKeyFinding } from '../../operations/data-key-finding.ts';
import { lineOf } from '../../operations/finding.ts';

const CURRENT = { id: 'c0c0c0c0c0c0c0c0', bytes: new Uint8Array(32) };
const FORMER = { id: 'f0f0f0f0f0f0f0f0', bytes: new Uint8Array(32) };
const LOST = 'a0a0a0a0a0a0a0a0';
const KEYS: DataKeys = { current: CURRENT, all: [CURRENT, FORMER] };

const use = (
  wrappedBy: string,
  cases = 1,
  secrets = 0,
  endpoints = 0,
  totps = 0,
  runs = 0,
  openRunSince: string | null = null,
) => ({
  ...{ wrappedBy, cases, runs, openRunSince, secrets },
  ...{ endpoints, totps },
});
const said = (...of: Parameters<typeof dataKeyFinding>) => {
  const finding = dataKeyFinding(...of);
  return finding === null ? null : lineOf(finding);
};

test('the doctor says nothing of data keys where nothing was ever encrypted', () => {
  expect(said([], null)).toBeNull();
  expect(said([], KEYS)).toBeNull();
});

test('a data key that is lost is wrong, and named with what cannot be read', () => {
  const line = said([use(CURRENT.id, 5), use(LOST, 2, 1)], KEYS);
  expect(line).toMatch(/^FAIL  personal data: data key a0a0a0a0a0a0a0a0 is not configured: /);
  expect(line).toContain(
    'the personal data of 2 cases cannot be read, and no case and no run can be submitted, and nothing paid. Restore it from',
  );
});

test('where no data key is configured, cases are a reason to warn', () => {
  expect(said([use(LOST, 1, 1)], null)).toMatch(
    /^ok {4}personal data: WARNING: no data key is configured here, but 1 case and 0 runs with personal data: /,
  );
});

test('data keys that are needed and those that are not are told apart', () => {
  expect(said([use(CURRENT.id)], KEYS)).toBe(
    `ok    personal data: can be read with the keys of this environment, the current data key is ${CURRENT.id}; no longer needed: ${FORMER.id}`,
  );
  expect(said([use(FORMER.id)], KEYS)).toBe(
    `ok    personal data: can be read with the keys of this environment, the current data key is ${CURRENT.id}; still needed: ${FORMER.id}, until 'payrun keys rotate'`,
  );
});

test('a lost data key that encrypted secrets of webhooks says so', () => {
  expect(explainMissingKeys([use(LOST, 0, 0, 2)])).toMatch(
    /^data key [a0]+ is not configured: webhooks of some endpoints cannot be signed\. Restore it/,
  );
});

test('a lost data key that encrypted seeds of authenticator apps says so', () => {
  expect(explainMissingKeys([use(LOST, 0, 0, 0, 1)])).toContain('codes of some authenticator apps cannot be checked');
});

test('a lost data key names the oldest run that waits for it', () => {
  const uses = [use(LOST, 0, 0, 0, 0, 2, '2026-01-02T10:00Z'), use(FORMER.id, 0, 0, 0, 0, 1, '2026-01-01T09:30Z')];
  expect(explainMissingKeys(uses)).toContain(
    '3 runs can be neither read nor paid (the oldest that waits was submitted at 2026-01-01T09:30Z; none is given up for this)',
  );
});

test('several missing data keys are named together, and one case is one', () => {
  expect(explainMissingKeys([use(LOST), use(FORMER.id, 0, 1)])).toMatch(
    /^data keys [a0]+, [f0]+ are not configured: the personal data of 1 case cannot be read, and no case and no run can be submitted, and nothing paid\. Restore each/,
  );
});

test('a lost data key of runs says that nothing of them is paid', () => {
  expect(explainMissingKeys([use(LOST, 0, 0, 0, 0, 2)])).toContain('2 runs can be neither read nor paid');
});
