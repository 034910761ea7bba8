/**
 * The order of history entries by their links: an entry leads from the balance before it to the balance after it. The
 * entries of one moment are in a consistent order when they make one trail through all of them, an Eulerian trail,
 * which is found in linear time.
 */

/** `from` and `to` are balances as canonical texts, so that equal ones are identical. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

/** Links in order: each begins where the one before ended. Never empty. */
export type Trail<L extends Link> = L[];

interface Edge<L extends Link> {
  readonly to: string;
  /** Null joins the end of one trail with the beginning of the next. */
  readonly link: L | null;
}

/**
 * As few trails as possible that contain every link once: one if there is a consistent order. A trail that can begin at
 * `start` does and is the first. The same links in the same order give the same trails.
 */
export function trailsOf<L extends Link>(links: readonly L[], start: string | null): Trail<L>[] {
  const edges = new Map<string, Edge<L>[]>();
  const add = (from: string, edge: Edge<L>): void => {
    const leaving = edges.get(from);
    if (leaving === undefined) edges.set(from, [edge]);
    else leaving.push(edge);
  };
  for (const link of links) add(link.from, { to: link.to, link });
  const { beginnings, ends } = looseEnds(links, start);
  ends.forEach((end, index) => add(end, { to: beginnings[index] ?? end, link: null }));
  // Edges are taken from the end of each list.
  for (const leaving of edges.values()) leaving.reverse();

  const trails: Trail<L>[] = [];
  const roots = [...(start === null ? [] : [start]), ...beginnings, ...edges.keys()];
  for (const root of roots) {
    if ((edges.get(root)?.length ?? 0) > 0) trails.push(...cutAtJoints(circuitFrom(root, edges)));
  }
  const first = trails.findIndex(([link]) => link?.from === start);
  if (first > 0) trails.unshift(...trails.splice(first, 1));
  return trails;
}

/** Where trails begin (more links leave than arrive) and end, once for each link too many; equally many of both. */
export function looseEnds(links: readonly Link[], start: string | null): { beginnings: string[]; ends: string[] } {
  const surplus = new Map<string, number>();
  for (const { from, to } of links) {
    surplus.set(from, (surplus.get(from) ?? 0) + 1);
    surplus.set(to, (surplus.get(to) ?? 0) - 1);
  }
  const beginnings: string[] = [];
  const ends: string[] = [];
  for (const [balance, count] of surplus) {
    for (let left = count; left > 0; left -= 1) beginnings.push(balance);
    for (let left = count; left < 0; left += 1) ends.push(balance);
  }
  // The last end is joined to it, so that the circuit can be cut there.
  if (start !== null && beginnings.includes(start)) beginnings.push(...beginnings.splice(beginnings.indexOf(start), 1));
  return { beginnings, ends };
}

/** Hierholzer's algorithm, without recursion. All edges that can be reached, since every balance is left as often as reached. */
function circuitFrom<L extends Link>(root: string, edges: ReadonlyMap<string, Edge<L>[]>): Edge<L>[] {
  const path: Edge<L>[] = [];
  const circuit: Edge<L>[] = [];
  let at = root;
  for (;;) {
    const next = edges.get(at)?.pop();
    if (next !== undefined) {
      path.push(next);
      at = next.to;
      continue;
    }
    const last = path.pop();
    if (last === undefined) return circuit.reverse();
    circuit.push(last);
    at = path.at(-1)?.to ?? root;
  }
}

/** A circuit without a joint is one trail, from its root. */
function cutAtJoints<L extends Link>(circuit: readonly Edge<L>[]): Trail<L>[] {
  const joint = circuit.findLastIndex(({ link }) => link === null);
  const trails: Trail<L>[] = [];
  let trail: Trail<L> = [];
  for (const { link } of [...circuit.slice(joint + 1), ...circuit.slice(0, joint + 1)]) {
    if (link !== null) trail.push(link);
    if (link !== null || trail.length === 0) continue;
    trails.push(trail);
    trail = [];
  }
  if (trail.length > 0) trails.push(trail);
  return trails;
}
