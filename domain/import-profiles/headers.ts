/** The headers of a sheet, as a profile names them and finds them again. */

/**
 * One name for each column of a sheet: the header on one line; `column 3` where it has none; with ` (2)` where one
 * comes a second time.
 */
export function nameHeaders(headers: readonly string[]): string[] {
  const keys = new Set<string>();
  return headers.map((header, index) => {
    const name = shortened(onOneLine(header)) || `column ${index + 1}`;
    let unique = name;
    for (let count = 2; keys.has(headerKey(unique)); count += 1) unique = `${name} (${count})`;
    keys.add(headerKey(unique));
    return unique;
  });
}

/** Equal for names that people take for the same: capitals, blanks, line breaks and marks of required columns do not count. */
export function headerKey(header: string): string {
  return onOneLine(header.normalize('NFKC').replaceAll('*', ' ')).replace(/\s*:$/, '').toLowerCase();
}

/** What a sheet has otherwise than the profile. Empty lists and false: the profile was made for such a sheet. */
export interface HeaderDifference {
  /** Headers of the profile that the sheet has not. */
  missing: string[];
  /** Headers of the sheet that the profile does not know. */
  added: string[];
  /** Headers that come twice, or have no name, are told apart by their order alone, and it is another one. */
  reordered: boolean;
}

export function compareHeaders(profileHeaders: readonly string[], sheetHeaders: readonly string[]): HeaderDifference {
  const names = nameHeaders(sheetHeaders);
  const known = profileHeaders.map(headerKey);
  const found = names.map(headerKey);
  const isSameOrder = known.every((key, index) => key === found[index]);
  return {
    missing: profileHeaders.filter((_, index) => !found.includes(known[index] ?? '')),
    added: names.filter((_, index) => !known.includes(found[index] ?? '')),
    // guard: repeated-headers-in-order
    reordered: !isSameOrder && (hasNamesByOrder(sheetHeaders) || hasNumberedNames(profileHeaders)),
  };
}

export function isSameHeaders({ missing, added, reordered }: HeaderDifference): boolean {
  return missing.length === 0 && added.length === 0 && !reordered;
}

/** Profiles for a sheet: those made for its headers, and those that at least half of its headers are of, the closest first. */
export function findProfiles<P extends { headers: readonly string[] }>(
  profiles: readonly P[],
  sheetHeaders: readonly string[],
): { exact: P[]; similar: { profile: P; difference: HeaderDifference }[] } {
  const compared = profiles.map((profile) => ({ profile, difference: compareHeaders(profile.headers, sheetHeaders) }));
  const isHalf = (shared: number) => shared > 0 && shared * 2 >= sheetHeaders.length;
  const differing = ({ difference }: (typeof compared)[number]) => difference.missing.length + difference.added.length;
  return {
    exact: compared.filter(({ difference }) => isSameHeaders(difference)).map(({ profile }) => profile),
    similar: compared
      .filter(({ difference }) => !isSameHeaders(difference) && isHalf(sheetHeaders.length - difference.added.length))
      .sort((a, b) => differing(a) - differing(b)),
  };
}

/** Longer ones are told apart by their number. */
const LONGEST_NAME = 150;

function shortened(line: string): string {
  if (line.length <= LONGEST_NAME) return line;
  return line
    .slice(0, LONGEST_NAME)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

/** All of it: what is cut from a name that was numbered would be its number. */
function onOneLine(header: string): string {
  return header.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

function hasNamesByOrder(headers: readonly string[]): boolean {
  const keys = headers.map((header) => headerKey(shortened(onOneLine(header))));
  return keys.some((key) => key === '') || new Set(keys).size < keys.length;
}

function hasNumberedNames(names: readonly string[]): boolean {
  const keys = new Set(names.map(headerKey));
  return [...keys].some((key) => {
    const first = key.replace(/ \(\d+\)$/, '');
    return /^column \d+$/.test(key) || (first !== key && keys.has(first));
  });
}
