/** As a file names it: `document_passport` is `document: passport`, a field keeps its name. */
export function missingInWords(name: string): string {
  const document = /^document_(.+)$/.exec(name)?.[1];
  return document === undefined ? name : `document: ${document}`;
}
