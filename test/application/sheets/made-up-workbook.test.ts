import { describe, expect, test } from 'vitest';
import { DECLARATION, MAIN, OFFICE, workbookOf, workbookParts } from './make-workbook.ts';
import { type ZipPart, zipOf } from './make-zip.ts';
import { problemOf, read } from './read-sheets.ts';

const STRICT_MAIN = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const STRICT_OFFICE = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
const COMPATIBILITY = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const OTHERS = `${COMPATIBILITY} xmlns:foo="urn:foo" mc:Ignorable="foo"`;

const CELL = '<c r="A1"><v>1</v></c>';
const ROWS = `<row r="1">${CELL}</row>`;

function partsWith(name: string, change: (content: string) => string): ZipPart[] {
  const parts = workbookParts({
    sheets: {
      Payments: `<sheetData>${ROWS}<row r="2"><c r="A2" t="s"><v>0</v></c></row></sheetData>`,
      Other: '<sheetData><row r="1"><c r="A1"><v>2</v></c></row></sheetData>',
    },
    strings: '<si><t>shown</t></si>',
    styles: '<numFmts/><cellXfs/>',
  });
  return parts.map((part) => (part.name === name ? { ...part, content: change(String(part.content)) } : part));
}

function rootOf(name: string): string {
  return name.endsWith('.rels') ? 'Relationships' : (ROOTS.find(([part]) => name.endsWith(part))?.[1] ?? 'worksheet');
}

const ROOTS = [
  ['workbook.xml', 'workbook'],
  ['sharedStrings.xml', 'sst'],
  ['styles.xml', 'styleSheet'],
] as const;

/** Declares other namespaces in a part. */
function others(name: string, content: string): string {
  return content.replace(`<${rootOf(name)} `, `<${rootOf(name)} ${OTHERS} `);
}

const read1 = (parts: ZipPart[]) => read(zipOf(parts), { sheetName: 'Payments' });
const problem1 = (parts: ZipPart[]) => problemOf(zipOf(parts), { sheetName: 'Payments' });

const SHEET = 'xl/worksheets/sheet1.xml';
const BOOK = 'xl/workbook.xml';
const RELATED = 'xl/_rels/workbook.xml.rels';
const STRINGS = 'xl/sharedStrings.xml';
const STYLES = 'xl/styles.xml';

describe('a workbook that spreadsheet programs show otherwise', () => {
  test.each([
    [
      'a row of another namespace',
      SHEET,
      '</sheetData>',
      '<foo:row r="3"><foo:c><foo:v>3</foo:v></foo:c></foo:row></sheetData>',
    ],
    ['a cell of another namespace', SHEET, CELL, `${CELL}<foo:c r="B1"><foo:v>3</foo:v></foo:c>`],
    ['a value of another namespace', SHEET, '<v>1</v>', '<v>1<foo:v>2</foo:v></v>'],
    ['a row whose namespace is declared again', SHEET, '<row r="2">', '<row xmlns="urn:foo" r="2">'],
    [
      'alternative rows',
      SHEET,
      ROWS,
      `<mc:AlternateContent><mc:Choice Requires="foo">${ROWS}</mc:Choice></mc:AlternateContent>`,
    ],
    [
      'all rows as an alternative',
      SHEET,
      '<sheetData>',
      '<mc:AlternateContent><mc:Fallback><sheetData/></mc:Fallback></mc:AlternateContent><sheetData>',
    ],
    ['columns of another namespace', SHEET, '<sheetData>', '<foo:cols/><sheetData>'],
    ['a text of another namespace', STRINGS, '<si><t>shown', '<foo:si><foo:t>hidden</foo:t></foo:si><si><t>shown'],
    ['a part of a text of another namespace', STRINGS, 'shown', 'shown</t><foo:t> no more</foo:t><t>'],
    ['a sheet of another namespace', BOOK, '<sheet ', '<foo:sheet name="Payments" sheetId="9" r:id="s1"/><sheet '],
    ['a sheet with two parts', BOOK, 'r:id="s0"', `xmlns:q="${STRICT_OFFICE}" q:id="s1" r:id="s0"`],
    ['a sheet with an id that names no part', BOOK, 'r:id="s0"', 'foo:id="s1"'],
    [
      'a count of days as an alternative',
      BOOK,
      '<workbookPr ',
      '<mc:AlternateContent><mc:Choice Requires="foo"><workbookPr date1904="1"/></mc:Choice></mc:AlternateContent><workbookPr ',
    ],
    [
      'a format of another namespace',
      STYLES,
      '<numFmts/>',
      '<numFmts><foo:numFmt numFmtId="200" formatCode="0.00"/></numFmts>',
    ],
    ['a style of another namespace', STYLES, '<cellXfs/>', '<cellXfs><foo:xf numFmtId="14"/></cellXfs>'],
    [
      'a relationship of another namespace',
      RELATED,
      '<Relationship ',
      '<foo:Relationship Id="q" Type="q" Target="q"/><Relationship ',
    ],
    [
      'two tables of texts',
      RELATED,
      '<Relationship ',
      `<Relationship Id="q" Type="${STRICT_OFFICE}/sharedStrings" Target="sharedStrings.xml"/><Relationship `,
    ],
    [
      'two tables of formats',
      RELATED,
      '<Relationship ',
      `<Relationship Id="q" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship `,
    ],
    [
      'two parts with one id',
      RELATED,
      '<Relationship ',
      `<Relationship Id="s0" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship `,
    ],
    [
      'two workbooks',
      '_rels/.rels',
      '<Relationship ',
      `<Relationship Id="q" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship `,
    ],
  ])('is refused: %s', async (_, name, before, after) => {
    const parts = partsWith(name, (content) => {
      expect(content).toContain(before);
      return others(name, content.replace(before, after));
    });
    expect(await problem1(parts)).toMatchObject({ code: 'damaged_workbook' });
  });

  test.each([
    ['worksheet', SHEET],
    ['workbook', BOOK],
    ['sst', STRINGS],
    ['styleSheet', STYLES],
    ['Relationships', RELATED],
  ])('is refused: all of %s of another namespace', async (_, name) => {
    const parts = partsWith(name, (content) => content.replace(/ xmlns="[^"]*"/, ' xmlns="urn:foo"'));
    expect(await problem1(parts)).toMatchObject({ code: 'damaged_workbook' });
  });

  test('has none of the parts that its relationships name by types of others', async () => {
    const parts = partsWith(RELATED, (content) =>
      content.replace(
        '<Relationship ',
        '<Relationship Id="q" Type="urn:nobody/sharedStrings" Target="/xl/q.xml"/><Relationship ',
      ),
    );
    const other = { name: 'xl/q.xml', content: `${DECLARATION}<sst xmlns="${MAIN}"><si><t>hidden</t></si></sst>` };
    await expect(read1([...parts, other])).resolves.toMatchObject({ cells: [['1'], ['shown']] });
  });

  test('has the parts of sheets that ids of relationships name, not those of other ids', async () => {
    const parts = partsWith(BOOK, (content) =>
      others(
        BOOK,
        content.replace('r:id="s0"', 'foo:id="s1" r:id="s0"').replace('r:id="s1"', `xmlns:foo="${OFFICE}" foo:id="s1"`),
      ),
    );
    await expect(read1(parts)).resolves.toMatchObject({ cells: [['1'], ['shown']] });
  });
});

describe('a workbook is read', () => {
  test('as strict Open XML', async () => {
    const parts = partsWith('', String).map(({ name, content }) => ({
      name,
      content: String(content).replaceAll(MAIN, STRICT_MAIN).replaceAll(OFFICE, STRICT_OFFICE),
    }));
    await expect(read1(parts)).resolves.toMatchObject({ cells: [['1'], ['shown']] });
  });

  test('with what programs add beside what is read', async () => {
    const sheet =
      `<worksheet xmlns="${MAIN}" ${COMPATIBILITY} mc:Ignorable="x14ac" xmlns:x14ac="urn:x14ac" xmlns:x14="urn:x14">` +
      `<sheetData><row r="1" x14ac:dyDescent="0.25"><c r="A1"><v>1</v><extLst><ext><x14:v>2</x14:v></ext></extLst></c></row></sheetData>` +
      '<autoFilter ref="A1"><filterColumn colId="0"><mc:AlternateContent><mc:Choice Requires="x14"><x14:iconFilter/></mc:Choice>' +
      '<mc:Fallback><iconFilter/></mc:Fallback></mc:AlternateContent></filterColumn></autoFilter>' +
      '<mc:AlternateContent><mc:Choice Requires="x14"><controls><control/></controls></mc:Choice></mc:AlternateContent>' +
      '<extLst><ext><x14:workbookPr/><x14:sheetData/></ext></extLst></worksheet>';
    const content = workbookOf({ sheets: { A: '' }, more: [{ name: SHEET, content: sheet }] });
    expect((await read(content)).cells).toEqual([['1']]);
  });
});

describe('what is hidden in a workbook', () => {
  test.each(['hidden', 'veryHidden'])('is said to be read from a hidden sheet: %s', async (state) => {
    const parts = partsWith(BOOK, (content) => content.replace('name="Payments"', `name="Payments" state="${state}"`));
    const { sheet } = await read1(parts);
    expect(sheet.notes().map(({ code }) => code)).toEqual(['chosen_sheet_hidden', 'other_sheets']);
  });

  test('has its first ten hidden rows named', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `<row r="${at + 2}" hidden="1"><c><v>1</v></c></row>`).join('');
    const { sheet } = await read(workbookOf({ sheets: { A: `<sheetData>${rows}</sheetData>` } }));
    expect(sheet.notes()[0]?.problem).toMatch(/: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11$/);
  });
});
