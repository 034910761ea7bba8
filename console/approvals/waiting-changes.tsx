import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ChangeSummary } from '../../api/approvals/change.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { Notice } from '../elements/page.tsx';
import { effectInWords, soonestFirst } from './change-words.ts';

const EVERY_MS = 60_000;
const CHANGES_PAGE = '/admin/changes';

/**
 * On every page, for everyone with a role: changes of users, policy or provider that wait. Who hides the notice sees it again
 * when another change comes.
 */
export function WaitingChanges(): ReactNode {
  const { pathname } = useLocation();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const self = useQuery({
    queryKey: ['changes', 'notice'],
    queryFn: ({ signal }) => api.getMe({}, { signal }),
    refetchInterval: EVERY_MS,
  });
  const waiting = self.data?.pendingChanges ?? [];
  const [first, ...others] = soonestFirst(waiting);
  const isHidden = waiting.every(({ changeId }) => hidden.includes(changeId));
  // There they stand in full.
  if (first === undefined || isHidden || pathname === CHANGES_PAGE) return null;
  return (
    <div className="page no-print" style={{ paddingBottom: 0 }}>
      <Notice
        tone="waiting"
        title={
          others.length === 0 ? 'A change waits' : `${others.length + 1} changes of users, policy or provider wait`
        }
      >
        <div className="row">
          <span>
            {others.length === 0 ? '' : 'The next: '}
            {effectInWords(first)}
            <TakesEffect change={first} />.
          </span>
          <Link to={CHANGES_PAGE}>Look at {others.length === 0 ? 'it' : 'them'}</Link>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setHidden(waiting.map(({ changeId }) => changeId))}
          >
            Hide
          </Button>
        </div>
      </Notice>
    </div>
  );
}

function TakesEffect({ change: { takesEffectAt } }: { change: ChangeSummary }): ReactNode {
  if (takesEffectAt === null) return ', once a second administrator confirms it';
  return (
    <>
      , by itself on <When at={takesEffectAt} /> unless somebody objects
    </>
  );
}
