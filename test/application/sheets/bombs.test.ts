import { describe, expect, test } from 'vitest';
import { anOrder } from './an-order.ts';
import { problemOf } from './read-sheets.ts';

/** Those of CSV and workbooks are beside what else keeps them from being read. */
const MIB = 1024 ** 2;

/** A file of this size that is `start`, then one text without an end. */
function endless(start: string): Buffer {
  const bytes = Buffer.alloc(200 * MIB, 'x');
  bytes.write(start);
  return bytes;
}

const order = anOrder().toString();
const upTo = (text: string): string => order.slice(0, order.indexOf(text) + text.length);

describe('a file is refused in a bounded memory: one that', () => {
  test.each<[string, Buffer, string]>([
    ['has one cell of 200 MB in a list of objects', endless('[{"row_ref": "'), 'json_file'],
    ['has one name of 200 MB in a list of objects', endless('[{"'), 'json_file'],
    ['has one text of 200 MB in an order', endless(upTo('<Nm>Nordlicht')), 'cell_too_long'],
    ['has one attribute of 200 MB in an order', endless(upTo('<InstdAmt Ccy="')), 'cell_too_long'],
    ['has one comment of 200 MB in an order', endless(`${upTo('<InitgPty>')}<!--`), 'cell_too_long'],
  ])('%s', async (_, bytes, code) => {
    const before = process.memoryUsage().rss;
    expect(await problemOf(bytes)).toMatchObject({ code });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
  });

  const columns = Array.from({ length: 10_000 }, (_, index) => `"c${index}": "1"`);
  test.each<[string, string, string]>([
    ['has 10,000 columns in a list of objects', `[{${columns.join(', ')}}]`, 'too_many_columns'],
    [
      'has a column more in each of 10,000 objects',
      `[${columns.map((one) => `{${one}}`).join(',')}]`,
      'too_many_columns',
    ],
    ['nests lists in a list of objects', `[{"a": ${'['.repeat(100_000)}`, 'json_not_text'],
    [
      'has entities of entities in an order',
      order.replace(
        '?>',
        '?><!DOCTYPE Document [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>',
      ),
      'xml_entities',
    ],
    ['nests too deeply in an order', upTo('<InitgPty>') + '<a>'.repeat(200_000), 'damaged_order'],
    [
      'has 100,000 attributes in an order',
      order.replace('<Cdtr>', `<Cdtr ${'a="1" '.repeat(100_000)}>`),
      'damaged_order',
    ],
  ])('%s', async (_, text, code) => {
    expect(await problemOf(Buffer.from(text))).toMatchObject({ code });
  });
});
