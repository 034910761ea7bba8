import { describe, expect, test } from 'vitest';
import { fileForm } from '../../../application/sheets/file-form.ts';
import { zipOf } from './make-zip.ts';
import { sheetOf, workbookParts } from './make-workbook.ts';
import { fileOf, problemOf } from './read-sheets.ts';

const ole = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000), Buffer.from(text, 'utf16le')]);
const nacha = `101 091000019 1234567892611271200A094101${'BANK'.padEnd(23)}${'COMPANY'.padEnd(23)}${''.padEnd(8)}`;
const aba = `0${' '.repeat(17)}01CBA${' '.repeat(7)}${'EXAMPLE PTY LTD'.padEnd(26)}301500PAYROLL     271126`;
const pain = (version: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn/></Document>`;
const withoutTypes = (name: string, content: string) => zipOf([{ name, content }]);

const zipWithTypes = (...names: string[]) => ['[Content_Types].xml', ...names].map((name) => ({ name, content: '' }));

describe('what a file is', () => {
  test.each<[string, Buffer | string, string]>([
    ['csv', 'a,b\n1,2', 'csv'],
    ['csv', '[Name],[Amount]\nx,1', 'csv'],
    ['csv', '{Name},1', 'csv'],
    ['csv', '<none>;1', 'csv'],
    ['csv', '101;Müller\n5;x', 'csv'],
    ['xlsx', sheetOf(''), 'xlsx'],
    ['pain.001.001.03', pain('03'), 'pain001'],
    ['pain.001.001.09', pain('09'), 'pain001'],
    ['pain.001 in UTF-16', Buffer.from(`\ufeff${pain('09')}`, 'utf16le'), 'pain001'],
    ['direct debits', pain('03').replace('pain.001.001.03', 'pain.008.001.02'), 'pain008'],
    ['camt', pain('03').replace('pain.001.001.03', 'camt.053.001.08'), 'camt'],
    ['other XML', '<?xml version="1.0"?><a/>', 'other_xml'],
    ['XML with a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'other_xml'],
    [
      'XML of Excel 2003',
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
      'xml_spreadsheet',
    ],
    ['JSON', ' [ {"a": 1} ]', 'json'],
    ['JSON', '[]', 'json'],
    ['other JSON', '{"rows": [{"a": 1}]}', 'other_json'],
    ['HTML', '<!DOCTYPE html><html><table><tr><td>1', 'html'],
    ['HTML', '<?xml version="1.0"?> <!-- a --> <!-- b --><html>', 'html'],
    ['HTML', '\ufeff<TABLE border=1><tr><td>1', 'html'],
    ['a web archive', 'MIME-Version: 1.0\nX-Document-Type: Workbook', 'html'],
    ['an old workbook', ole('Workbook'), 'xls'],
    ['a workbook with a password', ole('EncryptedPackage'), 'encrypted_workbook'],
    ['a binary workbook', zipOf([...workbookParts({ sheets: {} }), { name: 'xl/workbook.bin', content: '' }]), 'xlsb'],
    ['a workbook of LibreOffice', withoutTypes('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'), 'ods'],
    ['a text of LibreOffice', withoutTypes('mimetype', 'application/vnd.oasis.opendocument.text'), 'document'],
    ['a workbook of Numbers', withoutTypes('Index/Document.iwa', ''), 'numbers'],
    [
      'a document of Word',
      zipOf([
        { name: '[Content_Types].xml', content: '' },
        { name: 'word/document.xml', content: '' },
      ]),
      'document',
    ],
    ['another archive', withoutTypes('a.txt', 'a'), 'archive'],
    ['an archive', Buffer.from('1f8b0800', 'hex'), 'archive'],
    ['PDF', '%PDF-1.7\n', 'pdf'],
    ['PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'image'],
    ['JPEG', Buffer.from('ffd8ffe0', 'hex'), 'image'],
    ['NACHA', `${nacha}\n5220COMPANY`, 'nacha'],
    ['ABA', `${aba}\n1062-000`, 'aba'],
    ['MT101', ':20:REF\n:28D:1/1\n:50H:/1', 'mt101'],
    ['MT101', '{1:F01BANKDEFFXXXX}{2:I101BANKDEFFXXXXN}{4:\n:20:X', 'mt101'],
    ['MT940', '{1:F01BANKDEFFXXXX}{2:I940BANKDEFFXXXXN}{4:\n:20:X\n:25:1', 'mt940'],
    ['nothing', '', 'empty'],
    ['blanks', ' \r\n', 'empty'],
  ])('%s', async (_, content, form) => {
    expect(await fileForm(Buffer.from(content))).toBe(form);
  });

  test.each<[string, Buffer, string]>([
    ['comments', Buffer.from(`${'<!---->'.repeat(9_000)}<x/>`), 'other_xml'],
    ['comments within one', Buffer.from(`<!--${'<!--'.repeat(15_000)}<html>`), 'other_xml'],
    ['names of parts', zipOf(zipWithTypes('workbook'.repeat(8_000))), 'document'],
  ])('many %s', async (_, content, form) => {
    expect(await fileForm(content)).toBe(form);
  });

  test.each([
    ['plain.xlsx', 'xlsx'],
    ['libreoffice.xlsx', 'xlsx'],
    ['old.xls', 'xls'],
    ['plain.ods', 'ods'],
    ['html.xls', 'html'],
    ['plain.pdf', 'pdf'],
    ['tab-utf16.csv', 'csv'],
  ])('as programs write it: %s', async (name, form) => {
    expect(await fileForm(fileOf(name))).toBe(form);
  });

  test('is said with what to do where it is no sheet', async () => {
    expect(await problemOf(fileOf('old.xls'))).toMatchObject({
      code: 'old_workbook',
      fix: 'open it in a spreadsheet program, and save it as .xlsx',
    });
    expect(await problemOf(nacha)).toMatchObject({ code: 'bank_file' });
    expect(await problemOf(pain('03').replace('pain.001', 'pain.008'))).toMatchObject({ code: 'bank_file' });
    expect(await problemOf(sheetOf('').subarray(0, 200))).toMatchObject({ code: 'damaged_workbook' });
  });
});
