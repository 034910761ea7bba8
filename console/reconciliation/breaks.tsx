import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import { readActions } from '../approvals/read-actions.ts';
import { api } from '../calls/api.ts';
import { formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAddress } from '../elements/use-address.ts';
import { BreakCard } from './break-card.tsx';
import { READ_EVERY_MS } from './read-again.ts';

const MOST = 1_000;
const UNRESOLVED: readonly string[] = UNRESOLVED_BREAK_STATES;

export function useBreaks(account: string, day: string): UseQueryResult<BreakSummary[]> {
  return useQuery({
    queryKey: ['days', day, account, 'breaks'],
    queryFn: async ({ signal }) => {
      const ofDay = { account, from: day, to: day, state: 'all', limit: MOST } as const;
      return (await api.listBreaks(ofDay, { signal })).breaks;
    },
    refetchInterval: READ_EVERY_MS,
  });
}

/** The differences of a day: one person explains each, another one closes it. The one that a link names comes first. */
export function Breaks({ account, day }: { account: string; day: string }): ReactNode {
  const { search } = useAddress();
  const breaks = useBreaks(account, day);
  const waiting = breaks.data?.filter(({ state }) => UNRESOLVED.includes(state)) ?? [];
  const actions = useQuery({
    // What somebody else has said of a difference decides what one may do about it.
    queryKey: ['days', day, account, 'actions', waiting.map(({ breakId, explanationId }) => [breakId, explanationId])],
    queryFn: ({ signal }) =>
      readActions(
        'break',
        waiting.map(({ breakId }) => breakId),
        signal,
      ),
    enabled: waiting.length > 0,
    // What a colleague does with one of them takes no buttons of the others away.
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Differences">
      <Loaded query={breaks} lines={3}>
        {(list) =>
          list.length === 0 ? (
            <Mark tone="paid">None were found.</Mark>
          ) : (
            <div className="stack">
              <Unread query={actions} what="What you may do" />
              {namedFirst(list, search.break).map((each) => (
                <BreakCard key={each.breakId} of={each} allowed={actions.data?.get(each.breakId) ?? []} />
              ))}
              {list.length < MOST ? null : (
                <Notice tone="waiting">The first {formatCount(MOST)} are shown: there are more.</Notice>
              )}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

function namedFirst(list: readonly BreakSummary[], breakId: string | undefined): readonly BreakSummary[] {
  const isNamed = (one: BreakSummary): boolean => one.breakId === breakId;
  return [...list.filter(isNamed), ...list.filter((one) => !isNamed(one))];
}
