/** What a supporting file is by its content. */
export interface FileKind {
  /** Completes the sentence “the file is …”. */
  description: string;
  /** Null: the provider does not accept such files. */
  contentType: SupportedContentType | null;
}

export type SupportedContentType = 'application/pdf' | 'image/png' | 'image/jpeg';

/** How many of a file's first bytes decide its kind. */
export const FILE_KIND_BYTES = 1_024;

/** The kinds that the provider accepts, each with its file extensions, the usual one first. Contract: payments 2.6. */
export const SUPPORTED_KINDS = [
  { description: 'a PDF', contentType: 'application/pdf', extensions: ['pdf'] },
  { description: 'a PNG image', contentType: 'image/png', extensions: ['png'] },
  { description: 'a JPEG image', contentType: 'image/jpeg', extensions: ['jpg', 'jpeg'] },
] as const;

const [PDF, PNG, JPEG] = SUPPORTED_KINDS;

/** File signatures, each byte written as one character. */
const SIGNATURES: readonly { at: number; starts: string; kind: FileKind }[] = [
  { at: 0, starts: '\x89PNG\r\n\x1a\n', kind: PNG },
  { at: 0, starts: '\xff\xd8\xff', kind: JPEG },
  { at: 0, starts: 'PK\x03\x04', kind: { description: 'a Word, Excel or ZIP file', contentType: null } },
  { at: 0, starts: 'GIF8', kind: { description: 'a GIF image', contentType: null } },
  { at: 0, starts: 'II*\0', kind: { description: 'a TIFF image', contentType: null } },
  { at: 0, starts: 'MM\0*', kind: { description: 'a TIFF image', contentType: null } },
  { at: 4, starts: 'ftyp', kind: { description: 'a HEIC photo or a video', contentType: null } },
];

const UNKNOWN: FileKind = { description: 'of no kind that the provider takes', contentType: null };

/** From the file's first `FILE_KIND_BYTES` bytes, or all of a shorter file. Further bytes are ignored. */
export function fileKindOf(firstBytes: Uint8Array): FileKind {
  const start = String.fromCharCode(...firstBytes.subarray(0, FILE_KIND_BYTES));
  const found = SIGNATURES.find(({ at, starts }) => start.startsWith(starts, at));
  // Printers and mail programs add lines before a PDF, which all readers accept.
  return found?.kind ?? (start.includes('%PDF-') ? PDF : UNKNOWN);
}
