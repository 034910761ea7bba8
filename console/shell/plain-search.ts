/** The part of an address behind `?`: plain text, so that a link reads as people would write it. */

export type PlainSearch = Record<string, string>;

export function parseSearch(text: string): PlainSearch {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') parameters.set(name, value);
    else if (typeof value === 'number') parameters.set(name, String(value));
  }
  const joined = parameters.toString();
  return joined === '' ? '' : `?${joined}`;
}
