import { MATCHES, type SearchAnswer } from '../../api/inbox/search.ts';
import { searchedRow } from '../../domain/runs/row-search.ts';
import { mayAny } from '../../domain/users/role.ts';
import { type Found, searchCases, searchOrders, searchRows, searchRuns } from '../../store/inbox/search.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';
import { mayRead, type SignedIn } from '../users/signed-in.ts';

const MAX_HITS = 50;
const MAX_PER_WAY = 20;

/** Finds what the user may see. Names, payment references and account numbers are only for those who may read instructions. */
export async function search(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  text: string,
): Promise<SearchAnswer> {
  const { database, accounts } = dependencies;
  const scope = { accounts: user.accounts ?? accounts.map(({ name }) => name), limit: MAX_PER_WAY + 1 };
  const searched = searchedRow(text);
  const payees = mayRead(user, 'read_instructions') ? await payeesOf(dependencies) : null;
  const found = [
    ...(mayAny(user.roles, 'read_runs')
      ? [
          ...(await searchRuns(database, scope, searched.reference)),
          ...(await searchRows(database, scope, searched, payees)),
          ...(await searchOrders(database, scope, searched)),
        ]
      : []),
    ...(mayAny(user.roles, 'read_cases') ? await searchCases(database, scope, searched) : []),
  ];
  const hits = withoutRepeats(found).sort(byRank);
  return {
    hits: hits.slice(0, MAX_HITS).map(({ at, ...hit }) => ({ ...hit, at: at.toISOString() })),
    hasMore: hits.length > MAX_HITS || isCutOff(found),
  };
}

/** Whether there may be more of what was found in one way: one more than counts is asked for. */
function isCutOff(found: readonly Found[]): boolean {
  const counts = new Map<string, number>();
  for (const { kind, matched } of found) {
    const way = `${kind} ${matched}`;
    counts.set(way, (counts.get(way) ?? 0) + 1);
  }
  return [...counts.values()].some((count) => count > MAX_PER_WAY);
}

/** What is found in several ways is shown once, by the best. */
function withoutRepeats(found: readonly Found[]): Found[] {
  const best = new Map<string, Found>();
  for (const hit of [...found].sort(byRank)) {
    const key = `${hit.kind} ${hit.id}`;
    if (!best.has(key)) best.set(key, hit);
  }
  return [...best.values()];
}

function byRank(a: Found, b: Found): number {
  return MATCHES.indexOf(a.matched) - MATCHES.indexOf(b.matched) || b.at.getTime() - a.at.getTime();
}
