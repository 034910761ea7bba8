import { expect, test } from 'vitest';
import { defaultOptions, optionsFromFlags, sandboxFlags } from '../../sandbox/options.ts';

test('no flags give the defaults', () => {
  expect(optionsFromFlags({})).toEqual(defaultOptions);
});

test("every flag's default is the option's default, typed as a person would", () => {
  const typed = Object.fromEntries(
    sandboxFlags.flatMap((flag) => (flag.default === null ? [] : [[flag.key, flag.default]])),
  );
  expect(Object.keys(typed).length).toBeGreaterThan(10);
  expect(optionsFromFlags(typed)).toEqual(defaultOptions);
});

test('flags set their options, and a balance leaves the other balances alone', () => {
  const options = optionsFromFlags({
    port: '8701',
    dailyLimit: '0',
    webhookUrl: 'http://127.0.0.1:9/hook',
    balance: ['USD=12.50', 'JPY=900'],
  });
  expect(options).toMatchObject({ port: 8701, limitPerDay: 0, webhookUrl: 'http://127.0.0.1:9/hook' });
  expect(options.balances).toEqual({ ...defaultOptions.balances, USD: '12.50', JPY: '900' });
});

test.each([
  [{ port: 'eighty' }, '--port: takes a whole number, not "eighty"'],
  [{ quoteTtlMs: '1e3' }, '--quote-ttl-ms: takes a whole number'],
  [{ webhookUrl: 'ftp://x' }, '--webhook-url: takes an http or https address'],
  [{ balance: ['XXX=5'] }, '--balance: takes CUR=AMOUNT with a supported currency'],
  [{ balance: ['JPY=5.5'] }, '--balance: JPY has 0 decimal places'],
  [{ completionMinMs: '9', completionMaxMs: '8' }, '--completion-min-ms: must not be more than'],
  [{ limmit: '5' }, 'limmit: the sandbox has no such flag'],
])('wrong flags %j are refused with a message that names the flag', (flags, message) => {
  expect(() => optionsFromFlags(flags)).toThrow(message);
});
