/** What a supporting file is by its content: `what` goes on after “the file is”. */
export interface FileKind {
  what: string;
  /** Null: the provider takes no such files. */
  contentType: SupportedContentType | null;
}

export type SupportedContentType = 'application/pdf' | 'image/png' | 'image/jpeg';

/** As many of a file's first bytes as tell its kind. */
export const FILE_KIND_BYTES = 1_024;

/** The kinds that the provider takes, each with the endings of its names, the usual one first. Contract: payments 2.6. */
export const SUPPORTED_KINDS = [
  { what: 'a PDF', contentType: 'application/pdf', endings: ['pdf'] },
  { what: 'a PNG image', contentType: 'image/png', endings: ['png'] },
  { what: 'a JPEG image', contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
] as const;

const [PDF, PNG, JPEG] = SUPPORTED_KINDS;

/** By their first bytes, each written as a character. */
const SIGNATURES: readonly { at: number; starts: string; kind: FileKind }[] = [
  { at: 0, starts: '\x89PNG\r\n\x1a\n', kind: PNG },
  { at: 0, starts: '\xff\xd8\xff', kind: JPEG },
  { at: 0, starts: 'PK\x03\x04', kind: { what: 'a Word, Excel or ZIP file', contentType: null } },
  { at: 0, starts: 'GIF8', kind: { what: 'a GIF image', contentType: null } },
  { at: 0, starts: 'II*\0', kind: { what: 'a TIFF image', contentType: null } },
  { at: 0, starts: 'MM\0*', kind: { what: 'a TIFF image', contentType: null } },
  { at: 4, starts: 'ftyp', kind: { what: 'a HEIC photo or a video', contentType: null } },
];

const UNKNOWN: FileKind = { what: 'of no kind that the provider takes', contentType: null };

/** Given the file's first bytes: `FILE_KIND_BYTES` of them, or all of a shorter file. More are not looked at. */
export function fileKindOf(firstBytes: Uint8Array): FileKind {
  const start = String.fromCharCode(...firstBytes.subarray(0, FILE_KIND_BYTES));
  const found = SIGNATURES.find(({ at, starts }) => start.startsWith(starts, at));
  // Printers and mail programs put lines of their own before a PDF, which all readers accept.
  return found?.kind ?? (start.includes('%PDF-') ? PDF : UNKNOWN);
}
