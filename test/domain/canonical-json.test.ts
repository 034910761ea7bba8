import { expect, test } from 'vitest';
import { canonicalJson } from '../../domain/canonical-json.ts';

test('canonical JSON writes every text as JSON does', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const text = `a${String.fromCharCode(code)}b`;
    if (canonicalJson(text) !== JSON.stringify(text)) expect(canonicalJson(text)).toBe(JSON.stringify(text));
  }
  expect(canonicalJson({ 'b"': ['', 'Müller & Søn'], a: undefined, A: null })).toBe(
    '{"A":null,"b\\"":["","Müller & Søn"]}',
  );
});
