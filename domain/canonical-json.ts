/**
 * One text for one content: keys sorted, nothing between tokens, undefined properties left out. Equal contents give
 * equal texts whatever order they were built in, so a hash of the text is a hash of the content.
 * Throws a TypeError for what JSON cannot carry exactly (fractions, infinities, functions).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError('only whole numbers have one text; give decimals as strings');
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical JSON`);
  // Written for a hundred thousand rows: no list of pairs, and by the default order, which is that of `<`.
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const content = (value as Record<string, unknown>)[key];
    if (content !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(content)}`;
  }
  return `{${text}}`;
}
