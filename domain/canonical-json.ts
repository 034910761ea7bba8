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
  const pairs = Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, content]) => `${JSON.stringify(key)}:${canonicalJson(content)}`);
  return `{${pairs.join(',')}}`;
}
