/** Characters that RFC 5987 does not encode. */
const PLAIN_IN_VALUE = /[A-Za-z0-9!#$&+.^_`|~-]/;

/**
 * The header `content-disposition` that makes a browser save a file and not show it. File names come from outside, so
 * they are escaped: old programs read an ASCII name, others the real one in UTF-8. RFC 6266, RFC 5987.
 */
export function attachmentNamed(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, '_');
  const value = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN_IN_VALUE.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return `attachment; filename="${plain}"; filename*=UTF-8''${value.join('')}`;
}
