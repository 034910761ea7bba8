import { posix } from 'node:path';
import { TextDecoder } from 'node:util';
import { type FileContent, firstBytesOf } from '../payment-file/file-content.ts';
import { piecesOf } from './file-bytes.ts';
import { type BankForm, fixedForm } from './fixed-forms.ts';
import { SHEET_LIMITS } from './sheet.ts';
import { markedEncoding, utf16ByZeros } from './text-encoding.ts';
import { ZipArchive } from './zip-archive.ts';

/** What a file is. The first four can be read: a sheet, a payment order, a list of objects. */
export type FileForm =
  | 'csv'
  | 'xlsx'
  | 'pain001'
  | 'json'
  | 'empty'
  | 'encrypted_workbook'
  | 'xls'
  | 'xlsb'
  | 'ods'
  | 'numbers'
  | 'xml_spreadsheet'
  | 'html'
  | 'pdf'
  | 'image'
  | 'document'
  | 'archive'
  | BankForm
  | 'camt'
  | 'pain008'
  | 'other_xml'
  | 'other_json';

const SAMPLE_BYTES = 64 * 1024;

/** By the bytes of the file, never by its name. Throws UnreadableFile for an archive that is damaged. */
export async function fileForm(content: FileContent): Promise<FileForm> {
  const sample = Buffer.from(await firstBytesOf(content, SAMPLE_BYTES));
  if (sample.byteLength === 0) return 'empty';
  const signed = SIGNATURES.find(([, bytes, at]) => sample.subarray(at, at + bytes.length).equals(Buffer.from(bytes)));
  if (signed?.[0] === 'ole') return oleForm(content);
  if (signed?.[0] === 'zip') return zipForm(content);
  return signed?.[0] ?? textForm(textOf(sample));
}

/** The bytes that files begin with, and where. */
const SIGNATURES: readonly (readonly [FileForm | 'ole' | 'zip', number[], number])[] = [
  ['ole', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 0],
  ['zip', [0x50, 0x4b, 0x03, 0x04], 0],
  ['zip', [0x50, 0x4b, 0x05, 0x06], 0],
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d], 0],
  ['image', [0x89, 0x50, 0x4e, 0x47], 0],
  ['image', [0xff, 0xd8, 0xff], 0],
  ['image', [0x47, 0x49, 0x46, 0x38], 0],
  ['image', [0x49, 0x49, 0x2a, 0x00], 0],
  ['image', [0x4d, 0x4d, 0x00, 0x2a], 0],
  ['image', [0x57, 0x45, 0x42, 0x50], 8],
  ['image', [0x66, 0x74, 0x79, 0x70, 0x68, 0x65], 4],
  ['document', [0x7b, 0x5c, 0x72, 0x74, 0x66], 0],
  ['archive', [0x1f, 0x8b], 0],
  ['archive', [0x37, 0x7a, 0xbc, 0xaf], 0],
  ['archive', [0x52, 0x61, 0x72, 0x21], 0],
];

/** Workbooks of Excel until 2003, and all that are protected by a password, are containers of the same form. */
async function oleForm(content: FileContent): Promise<FileForm> {
  const name = Buffer.from('EncryptedPackage', 'utf16le');
  let end: Uint8Array = new Uint8Array(0);
  for await (const piece of piecesOf(content)) {
    const bytes = Buffer.concat([end, piece]);
    if (bytes.includes(name)) return 'encrypted_workbook';
    end = bytes.subarray(-name.byteLength);
  }
  return 'xls';
}

async function zipForm(content: FileContent): Promise<FileForm> {
  const archive = await ZipArchive.open(content, SHEET_LIMITS);
  try {
    const names = archive.names();
    if (archive.has('[Content_Types].xml')) {
      if (names.some((name) => name.endsWith('.bin') && posix.basename(name).includes('workbook'))) return 'xlsb';
      if (names.some((name) => name.startsWith('xl/') || /(?:^|\/)worksheets?\//.test(name))) return 'xlsx';
      return 'document';
    }
    if (names.some((name) => /^index\/.*\.iwa$|^index\.zip$/.test(name))) return 'numbers';
    if (archive.has('mimetype'))
      return (await textOfPart(archive, 'mimetype')).includes('spreadsheet') ? 'ods' : 'document';
    return 'archive';
  } finally {
    archive.close();
  }
}

async function textOfPart(archive: ZipArchive, name: string): Promise<string> {
  for await (const piece of archive.read(name)) return piece.toString('latin1');
  return '';
}

function textOf(sample: Buffer): string {
  const encoding = markedEncoding(sample) ?? utf16ByZeros(sample) ?? 'utf-8';
  return new TextDecoder(encoding).decode(sample);
}

function textForm(text: string): FileForm {
  const start = text.trimStart();
  if (start === '') return 'empty';
  const fixed = fixedForm(start);
  if (fixed !== null) return fixed;
  if (XML.test(start) && !HTML.test(start)) return xmlForm(start);
  if (HTML.test(start) || /^MIME-Version:/i.test(start)) return 'html';
  if (/^\[\s*(?:\{|\]\s*$)/.test(start)) return 'json';
  return /^\{\s*(?:"[^"]*"\s*:|\}\s*$)/.test(start) ? 'other_json' : 'csv';
}

const HTML =
  /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!DOCTYPE\s+html|html|head|body|table|meta|style|div)\b/i;

const XML = /^<(?:\?xml\s|!DOCTYPE\s|!--|[\w:.-]+(?:\s+[\w:.-]+\s*=|\s*\/?>\s*(?:<|$)))/i;

function xmlForm(text: string): FileForm {
  if (/[:/]pain\.001\.\d{3}\.\d\d/.test(text)) return 'pain001';
  if (/urn:iso:std:iso:20022:tech:xsd:pain\.008\./.test(text)) return 'pain008';
  if (/urn:iso:std:iso:20022:tech:xsd:camt\./.test(text)) return 'camt';
  return text.includes('urn:schemas-microsoft-com:office:spreadsheet') ? 'xml_spreadsheet' : 'other_xml';
}
