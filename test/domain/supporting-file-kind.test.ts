import { describe, expect, test } from 'vitest';
import { fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import { aRow, check } from './payment-rows.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const PDF = bytes('%PDF-1.7\n');
const PNG = bytes('\x89PNG\r\n\x1a\n');
const JPEG = bytes('\xff\xd8\xff\xe0\0\x10JFIF');
const ZIP = bytes('PK\x03\x04');

describe('the kind of a file is decided by its first bytes', () => {
  test.each([
    ['a PDF', PDF, 'application/pdf'],
    ['a PDF after the header of a printer', bytes(`${' '.repeat(1_019)}%PDF-`), 'application/pdf'],
    ['a PNG image', PNG, 'image/png'],
    ['a PNG image that has a PDF inside', bytes('\x89PNG\r\n\x1a\n%PDF-1.7'), 'image/png'],
    ['a JPEG image', JPEG, 'image/jpeg'],
    ['a PDF mark too far from the start', bytes(`${' '.repeat(1_020)}%PDF-`), null],
    ['half a PNG signature', bytes('\x89PNG'), null],
    ['half a JPEG signature', bytes('\xff\xd8'), null],
    ['an archive', ZIP, null],
    ['text', bytes('hello'), null],
    ['nothing', bytes(''), null],
  ])('%s', (_what, content, contentType) => {
    expect(fileKindOf(content).contentType).toBe(contentType);
  });
});

describe('a supporting file', () => {
  const problemOf = (name: string, content: Uint8Array, cell = name) => {
    const files = new Map([
      [name, { sizeBytes: 9, kind: fileKindOf(content) }],
      ['good.pdf', { sizeBytes: 9, kind: fileKindOf(PDF) }],
    ]);
    const [problem] = check(aRow({ supporting_files: cell }), { files }).problems;
    return problem === undefined ? null : `${problem.code}: ${problem.problem}: ${problem.fix}`;
  };

  test.each([
    ['a.pdf', PDF],
    ['a.PNG', PNG],
    ['a.jpg', JPEG],
    ['a.JPEG', JPEG],
  ])('%s whose content matches its extension is accepted', (name, content) => {
    expect(problemOf(name, content)).toBeNull();
  });

  test.each([
    ['scan.pdf', PNG, '"scan.pdf" is a PNG image, not a PDF', 'end its name in .png'],
    ['scan.jpg', PNG, '"scan.jpg" is a PNG image, not a JPEG image', 'end its name in .png'],
    ['scan.png', JPEG, '"scan.png" is a JPEG image, not a PNG image', 'end its name in .jpg'],
    ['scan.png', PDF, '"scan.png" is a PDF, not a PNG image', 'end its name in .pdf'],
    ['scan.pdf', ZIP, '"scan.pdf" is a Word, Excel or ZIP file, not a PDF', 'convert it to PDF, PNG or JPEG'],
    ['scan.jpg', bytes('\0\0\0\x18ftypheic'), '"scan.jpg" is a HEIC photo or a video, not a JPEG image', 'convert it'],
    ['scan.pdf', bytes('<html>'), '"scan.pdf" is of no kind that the provider takes, not a PDF', 'convert it'],
  ])('%s is refused for its content, with its kind and a fix', (name, content, problem, fix) => {
    expect(problemOf(name, content)).toContain(`file_content: the supporting file ${problem}`);
    expect(problemOf(name, content)).toContain(fix);
  });

  test('is named if a row has several', () => {
    expect(problemOf('scan.pdf', PNG, 'good.pdf;scan.pdf')).toContain('"scan.pdf"');
  });

  test('with invisible characters in its name is named with the characters escaped', () => {
    expect(problemOf('a\u200bb.pdf', PNG)).not.toContain('\u200b');
  });
});
