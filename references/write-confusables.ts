import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes domain/beneficiaries/confusable-letters.ts from Unicode's data (UTS 39), as the crate `unicode-security` of crates.io has them:
 *
 *     cargo vendor && npx tsx references/write-confusables.ts vendor/unicode-security/src/tables.rs
 *
 * Only letters of scripts that are drawn like the Latin one are taken, since names are compared in Latin letters.
 */

const [path = ''] = process.argv.slice(2);
const tables = readFileSync(path, 'utf8');
const version = /UNICODE_VERSION: \(u64, u64, u64\) = \((\d+), (\d+), (\d+)\)/.exec(tables)?.slice(1).join('.');
const start = tables.indexOf("const CONFUSABLES: &'static [(char");
if (version === undefined || start === -1) throw new Error(`${path} has no table of confusable letters`);
const table = tables.slice(start, tables.indexOf('];', start));

const LIKE_LATIN =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Canadian_Aboriginal}]$/u;

const byTarget = new Map<string, string[]>();
for (const [, letter = '', target = ''] of table.matchAll(/\('\\u\{([0-9a-f]+)\}',\s*&\[([^\]]*)\]\)/g)) {
  const source = String.fromCodePoint(Number.parseInt(letter, 16));
  const latin = plain([...target.matchAll(/\{([0-9a-f]+)\}/g)].map(([, code = '']) => codePoint(code)).join(''));
  const isNeeded = LIKE_LATIN.test(source) && source === source.normalize('NFKC') && !isAscii(plain(source));
  if (!isNeeded || !isAscii(latin)) continue;
  byTarget.set(latin, [...(byTarget.get(latin) ?? []), source]);
}

const lines = [...byTarget]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([latin, letters]) => `  ['${latin}', '${letters.join('')}'],`);
writeFileSync(
  join(import.meta.dirname, '../domain/beneficiaries/confusable-letters.ts'),
  `/** Written by references/write-confusables.ts from Unicode's data. The licence of the data is in NOTICE. */

export const CONFUSABLES_VERSION = '${version}';

/** Small Latin letters or digits, and the letters that look like them, or like their capitals. */
export const CONFUSABLE_LETTERS: readonly (readonly [latin: string, letters: string])[] = [
${lines.join('\n')}
];
`,
);

function codePoint(hex: string): string {
  return String.fromCodePoint(Number.parseInt(hex, 16));
}

/** In small letters, without marks. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function isAscii(text: string): boolean {
  return /^[a-z0-9]+$/.test(text);
}
