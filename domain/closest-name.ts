/** The candidate that a mistyped name most likely means, or null when none is close enough to suggest. */
export function closestName(name: string, candidates: readonly string[]): string | null {
  const typed = normalized(name);
  let best: string | null = null;
  let shortest = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed, normalized(candidate), shortest);
    if (distance < shortest) {
      shortest = distance;
      best = candidate;
    }
  }
  return best;
}

function normalized(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}

/** Levenshtein distance. Returns `limit` as soon as the distance cannot be below it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    previous = current;
  }
  return previous[b.length] ?? limit;
}
