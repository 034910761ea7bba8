import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { faultKinds } from '../../sandbox/faults/fault-kinds.ts';
import { sandboxFlags } from '../../sandbox/config/flags.ts';
import { defaultOptions, type SandboxOptions } from '../../sandbox/config/options.ts';
import { optionsFromFlags } from '../../sandbox/config/parse-flags.ts';
import { switches } from '../../sandbox/config/switches.ts';

test('no flags give the defaults', () => {
  expect(optionsFromFlags({})).toEqual(defaultOptions);
});

test("every flag's default is the option's default, as a person would type it", () => {
  const typed = Object.fromEntries(
    sandboxFlags.flatMap((flag) => (flag.default === null ? [] : [[flag.key, flag.default]])),
  );
  expect(Object.keys(typed).length).toBeGreaterThan(10);
  expect(optionsFromFlags(typed)).toEqual(defaultOptions);
});

test('flags set their options, and a balance does not change the other balances', () => {
  const options = optionsFromFlags({
    port: '8701',
    dailyLimit: '0',
    webhookUrl: 'http://127.0.0.1:9/hook',
    balance: ['USD=12.50', 'JPY=900'],
  });
  expect(options).toMatchObject({ port: 8701, limitPerDay: 0, webhookUrl: 'http://127.0.0.1:9/hook' });
  expect(options.balances).toEqual({ ...defaultOptions.balances, USD: '12.50', JPY: '900' });
});

/** Options for programs: a command line cannot pass functions, and its sandbox has a running clock. */
const withoutFlag: readonly (keyof SandboxOptions)[] = ['frozenAtMs', 'wallNow', 'monotonicNow', 'log', 'report'];

test('every other option has a flag that sets it', () => {
  const typed: Record<string, string> = {
    count: '77',
    completionMinMs: '4001',
    completionMaxMs: '12001',
    list: 'auth-authenticate',
    'CUR=AMOUNT': 'USD=1.00',
    'NAME=VALUE': 'X-Hook=1',
    host: '0.0.0.0',
    publicUrl: 'http://sandbox.example',
    webhookUrl: 'http://receiver.example',
    vaRequestPath: '/va/:requestId',
    storagePrefix: 'store',
    state: 'sandbox.jsonl',
    none: 'true',
  };
  const set = new Set<string>(['accounts']);
  for (const { key, name, value, default: usual } of sandboxFlags.filter((flag) => flag.key !== 'accounts')) {
    const words = switches.find((each) => each.name === name)?.choices.keys() ?? [];
    const word = [...words].find((choice) => choice !== usual);
    const options = optionsFromFlags({ [key]: word ?? typed[key] ?? typed[value] });
    const changed = Object.entries(options).filter(([option, now]) => {
      return !isDeepStrictEqual(now, defaultOptions[option as keyof SandboxOptions]);
    });
    expect(changed, name).toHaveLength(1);
    set.add(changed[0]![0]);
  }
  const settable = Object.keys(defaultOptions).filter((option) => !withoutFlag.some((other) => other === option));
  expect([...set].sort()).toEqual(settable.sort());
});

test('guide and reference list every flag and every fault', async () => {
  const pages = ['sandbox.md', 'sandbox-reference.md'].map((page) => new URL(`../../docs/${page}`, import.meta.url));
  const guide = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n');
  const names = [...sandboxFlags.map(({ name }) => `\`--${name}`), ...faultKinds.map(({ kind }) => `\`${kind}\``)];
  expect(names.filter((name) => !guide.includes(name))).toEqual([]);
});

test('lists and headers of notifications are parsed', () => {
  const options = optionsFromFlags({
    openOperations: 'auth-authenticate,currency-pairs',
    vaProviders: 'one,two',
    webhookHeader: ['X-Hook-Secret=a=b', 'X-Other='],
  });
  expect(options).toMatchObject({
    openOperations: ['auth-authenticate', 'currency-pairs'],
    virtualAccountProviders: ['one', 'two'],
    webhookHeaders: { 'X-Hook-Secret': 'a=b', 'X-Other': '' },
  });
});

test.each([
  [{ port: 'eighty' }, '--port: takes a whole number, not "eighty"'],
  [{ quoteTtlMs: '1e3' }, '--quote-ttl-ms: takes a whole number'],
  [{ webhookUrl: 'ftp://x' }, '--webhook-url: takes an http or https address'],
  [{ balance: ['XXX=5'] }, '--balance: "XXX" is not a supported currency; it takes CUR=AMOUNT'],
  [{ balance: ['JPY=5.5'] }, '--balance: JPY has 0 decimal places'],
  [{ completionMinMs: '9', completionMaxMs: '8' }, '--completion-min-ms: must not be more than'],
  [{ openOperations: 'auth-authenticate,currency-paris' }, '--open-operations: "currency-paris" is not a checklist id'],
  [{ openOperations: 'currency-pairs' }, '--open-operations: needs auth-authenticate'],
  [{ vaProviders: 'one two' }, '--va-providers: takes comma-separated codes'],
  [{ storagePrefix: 'X-Store' }, '--storage-prefix: takes lower-case letters and digits'],
  [{ webhookHeader: ['X-Hook-Secret'] }, '--webhook-header: takes NAME=VALUE'],
  [{ webhookHeader: ['X Hook=secret'] }, '--webhook-header: X Hook: must be the name of a header'],
  [{ webhookHeader: ['Content-Type=a/b'] }, '--webhook-header: Content-Type: is set by the sandbox itself'],
  [{ webhookHeader: ['X-Hook=\n'] }, '--webhook-header: X-Hook: must be printable ASCII'],
  [{ limitStatus: '500' }, '--limit-status: takes one of 429, 403, 503'],
  [{ limmit: '5' }, 'limmit: the sandbox has no such flag'],
])('wrong flags %j are refused with a message that names the flag', (flags, message) => {
  expect(() => optionsFromFlags(flags)).toThrow(message);
});
