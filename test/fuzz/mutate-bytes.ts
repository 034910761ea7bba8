type Random = () => number;

/** Texts that mean something in one of the forms. */
const TOKENS = [
  ...[
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '\0',
    '\ufeff',
    'sep=;\n',
    '\u00ff\u00fe',
    'Total',
    '1.234,56',
    '9'.repeat(400),
  ],
  ...[
    '<',
    '>',
    '</row>',
    '<row r="1">',
    '<c t="s"><v>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '&#0;',
    '<![CDATA[',
    '<!--',
    '<?xml',
  ],
  ...[
    'r="XFD1048576"',
    't="e"',
    's="99999"',
    '1e999',
    '-1',
    'hidden="1"',
    'date1904="1"',
    '_xD800_',
    '[h]:mm:ss',
    '#,##0.00;;;@',
  ],
  ...['PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006', '%PDF-', '{1:F01', ':20:', '[{', '101 '],
];

const upTo = (random: Random, end: number): number => Math.floor(random() * end);

/** Changes bytes in one to eight places: as damage does, and as somebody does who knows the form. */
export function mutated(bytes: Uint8Array, others: readonly Uint8Array[], random: Random): Buffer {
  let changed: Buffer = Buffer.from(bytes);
  // Mostly few, so that something can be read.
  const changes = 1 + Math.floor(8 * random() ** 3);
  for (let change = 0; change < changes; change++) changed = changedOnce(changed, others, random);
  return changed;
}

const LETTERS = 'aAeEzZ019.,-';

/** The same form with other letters and digits in one to four places, so that what stands in it is read. */
export function reworded(bytes: Uint8Array, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  const changes = 1 + upTo(random, 4);
  for (let change = 0; change < changes; change++) {
    const at = upTo(random, changed.byteLength);
    const isWord = /[\w.,-]/.test(String.fromCharCode(changed[at] ?? 0));
    if (isWord) changed[at] = LETTERS.charCodeAt(upTo(random, LETTERS.length));
  }
  return changed;
}

function changedOnce(bytes: Buffer, others: readonly Uint8Array[], random: Random): Buffer {
  const at = upTo(random, bytes.byteLength + 1);
  const length = upTo(random, Math.min(64, bytes.byteLength - at + 1));
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at + length);
  switch (upTo(random, 7)) {
    case 0: {
      const copy = Buffer.from(bytes);
      if (copy.byteLength > 0) copy[at % copy.byteLength] = upTo(random, 256);
      return copy;
    }
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, Buffer.from(TOKENS[upTo(random, TOKENS.length)] ?? ''), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([
        before,
        ...Array.from({ length: 1 + upTo(random, 40) }, () => bytes.subarray(at, at + length)),
        after,
      ]);
    case 4: {
      const other = others[upTo(random, others.length)] ?? bytes;
      const from = upTo(random, other.byteLength);
      return Buffer.concat([before, other.subarray(from, from + 1 + upTo(random, 400)), after]);
    }
    case 5:
      return Buffer.from(before);
    default:
      return Buffer.concat([before, Buffer.alloc(upTo(random, 2_000), upTo(random, 256)), after]);
  }
}
