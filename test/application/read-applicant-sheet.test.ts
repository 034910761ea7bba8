import { describe, expect, test } from 'vitest';
import type { ApplicantsFile } from '../../application/onboarding/applicants-file.ts';
import { workbookOf } from './sheets/make-workbook.ts';
import { xlsxBytes } from './sheets/write-sheets.ts';
import { applicantsOf, contextFor, csv, fileOf, header, line, places, problemsOf } from './applicant-files.ts';

/** Of a day and of a number, beside the usual one. */
const STYLES =
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>' +
  '<cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="11"/></cellXfs>';

describe('a sheet of applicants', () => {
  test('may begin with a byte order mark, end its lines with CRLF, have blank lines and columns in any order', async () => {
    const [names, cells] = [header, line('A')].map((text) => text.split(',').reverse().join(','));
    const text = `\ufeff${names?.toUpperCase() ?? ''}\r\n\r\n${cells ?? ''}\r\n${','.repeat(header.split(',').length - 1)}\r\n`;
    expect(await applicantsOf(fileOf(text, 'sheet'), contextFor(['A']))).toHaveLength(1);
  });

  test('keeps every cell as the text that was written', async () => {
    const changes = { postal_code: '007', residential_address: 'Blk 12, #04-15 "A"', last_name: 'null' } as const;
    const [applicant] = await applicantsOf(csv(header, line('A', changes)), contextFor(['A']));
    expect(applicant?.details).toMatchObject({
      postalCode: '007',
      residentialAddress: 'Blk 12, #04-15 "A"',
      lastName: 'null',
    });
  });

  const without = (column: string) => {
    const index = header.split(',').indexOf(column);
    const cut = (text: string) => text.split(',').toSpliced(index, 1).join(',');
    return csv(cut(header), cut(line('A')), cut(line('B')));
  };

  test('names a missing column once, and not on every line', async () => {
    expect(places(await problemsOf(without('gender'), contextFor(['A', 'B'])))).toEqual(['1 gender missing_column']);
  });

  test('names a misspelt column once, with what is meant', async () => {
    const problems = await problemsOf(csv(header.replace('gender', 'gendr'), line('A')), contextFor(['A']));
    expect(places(problems)).toEqual(['1 gendr unknown_field']);
    expect(problems[0]?.fix).toContain('did you mean gender?');
  });

  const cases: [string, ApplicantsFile, string[]][] = [
    ['is empty', fileOf('', 'sheet'), ['1  empty_file']],
    ['has a header alone', csv(header), ['1  no_applicants']],
    ['has rows without cells', csv(header, ','.repeat(header.split(',').length - 1)), ['1  no_applicants']],
    ['has too few cells', csv(header, 'A,individual'), ['2  ragged_row']],
    [
      'does not say its encoding',
      fileOf(Buffer.from(`${header}\nJos\xe9`, 'latin1'), 'sheet'),
      ['file  encoding_not_chosen'],
    ],
    ['is a damaged workbook', fileOf('PK\u0003\u0004', 'sheet'), ['file  damaged_workbook']],
    ['has a title', csv(`Applicants${','.repeat(header.split(',').length - 1)}`, header, line('A')), ['1  no_header']],
    ['begins with values', csv(line('A'), header), ['1  no_header']],
    ['has a column twice', csv(`${header}, Email `, `${line('A')},x`), ['1 email repeated_field']],
    ['has a column without header', csv(`${header},`, `${line('A')},x`), ['1  empty_header']],
    ['has a password', csv(`${header},Password`, `${line('A')},geheim123`), ['1 password password_given']],
    ['has one group of documents', csv(`${header},documents`, `${line('A')},x`), ['1 documents unknown_field']],
    [
      'has an unknown document',
      csv(`${header},document_visa,document_photo_1`, `${line('A')},x,y`),
      ['1 document_visa unknown_document', '1 document_photo_1 unknown_document'],
    ],
    [
      'has names of a programming language',
      csv(`${header},constructor,__proto__`, `${line('A')},x,y`),
      ['1 constructor unknown_field', '1 __proto__ unknown_field'],
    ],
  ];

  test.each(cases)('%s', async (_what, file, problems) => {
    expect(places(await problemsOf(file, contextFor(['A'])))).toEqual(problems);
  });

  const cells = [header.split(','), line('A', { residential_address: 'Blk 12 #04-15', last_name: 'Núñez' }).split(',')];
  const semicolons = cells.map((row) => row.join(';')).join('\n');
  const forms: [string, Buffer][] = [
    ['with semicolons', Buffer.from(semicolons)],
    ['with a note for Excel', Buffer.from(`sep=;\r\n${semicolons}`)],
    ['in UTF-16', Buffer.from(`\ufeff${cells.map((row) => row.join('\t')).join('\n')}`, 'utf16le')],
    ['as a workbook', xlsxBytes(cells, true)],
  ];

  test.each(forms)('is read %s, as it is with commas', async (_form, content) => {
    const [applicant] = await applicantsOf(fileOf(content, 'sheet'), contextFor(['A']));
    expect(applicant?.details).toMatchObject({ residentialAddress: 'Blk 12 #04-15', lastName: 'Núñez' });
  });

  test('as a workbook has its days as it holds them, and no number that it shows shortened', async () => {
    const workbook = (changes: Record<string, string>) => {
      const [names = [], values = []] = cells;
      const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
      const rows = [names.map(text), values.map((cell, index) => changes[names[index] ?? ''] ?? text(cell))];
      const sheet = `<sheetData>${rows.map((row) => `<row>${row.join('')}</row>`).join('')}</sheetData>`;
      return fileOf(workbookOf({ sheets: { Sheet1: sheet }, styles: STYLES }), 'sheet');
    };
    const [applicant] = await applicantsOf(workbook({ date_of_birth: '<c s="1"><v>33238</v></c>' }), contextFor(['A']));
    expect(applicant?.details.dateOfBirth).toBe('1990-12-31');
    const shortened = workbook({ mobile_number: '<c s="2"><v>91234567890</v></c>' });
    expect(places(await problemsOf(shortened, contextFor(['A']))).map((place) => place.split(' ').at(-1))).toContain(
      'shown_otherwise',
    );
  });

  test('as a workbook is refused where somebody would have to look at it first', async () => {
    const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
    const [first, ...more] = cells.map((row) => row.map(text).join(''));
    const sheet = `<sheetData><row r="1">${first ?? ''}</row>${more.map((row) => `<row r="2" hidden="1">${row}</row>`).join('')}</sheetData>`;
    expect(
      places(await problemsOf(fileOf(workbookOf({ sheets: { Sheet1: sheet } }), 'sheet'), contextFor(['A']))),
    ).toEqual(['2  hidden_rows']);
  });

  test('has at most 2,000 lines', async () => {
    const file = csv('applicant_ref,email', ...Array.from({ length: 2_001 }, (_, index) => `R${index},x`));
    expect(places(await problemsOf(file))).toEqual(['2002  too_many_rows']);
  });
});
