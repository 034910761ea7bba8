import { expect, test } from 'vitest';
import { sandboxFlags } from '../../sandbox/config/flags.ts';
import { optionsFromFlags } from '../../sandbox/config/parse-flags.ts';
import { switches } from '../../sandbox/config/switches.ts';

test.each(switches.map((each) => [each.name, each] as const))(
  '--%s takes each of its words and no other',
  (name, each) => {
    const key = sandboxFlags.find((flag) => flag.name === name)!.key;
    for (const [word, value] of each.choices) expect(optionsFromFlags({ [key]: word })[each.option]).toBe(value);
    expect(() => optionsFromFlags({ [key]: 'perhaps' })).toThrow(`--${name}: takes one of`);
  },
);

test('the path of virtual account requests needs the id in it', () => {
  expect(optionsFromFlags({ vaRequestPath: '/va/:requestId' }).virtualAccountRequestPath).toBe('/va/:requestId');
  expect(() => optionsFromFlags({ vaRequestPath: '/va' })).toThrow('--va-request-path: takes a path with :requestId');
});
