import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ChangeSummary } from '../../api/approvals/change.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Notice, Section } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';
import { AdminFrame } from '../users/admin-frame.tsx';
import { ChangeCard, ChangeDialog, type ChangeVerb, EVERY_MS, usePolicyInForce } from './change-card.tsx';
import { readActions } from './read-actions.ts';

/** As many as the server sends at once. */
const MOST_CHANGES = 200;

/** Changes that take two administrators: those that wait, and those that were decided. */
export function ChangesPage(): ReactNode {
  // By themselves: among the newest of all, one that has waited for long would be missing.
  const pending = useQuery({
    queryKey: ['changes', 'pending'],
    queryFn: ({ signal }) => api.listChanges({ pending: true, limit: MOST_CHANGES }, { signal }),
    refetchInterval: EVERY_MS,
  });
  const newest = useQuery({
    queryKey: ['changes', 'all'],
    queryFn: ({ signal }) => api.listChanges({ limit: MOST_CHANGES }, { signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <AdminFrame>
      <Loaded query={pending}>{({ changes }) => <Pending changes={changes} />}</Loaded>
      <Loaded query={newest}>
        {({ changes }) => <Decided changes={changes.filter(({ state }) => state !== 'pending')} />}
      </Loaded>
    </AdminFrame>
  );
}

function Pending({ changes }: { changes: readonly ChangeSummary[] }): ReactNode {
  const ids = changes.map(({ changeId }) => changeId);
  const actions = useQuery({
    queryKey: ['actions', 'change', ids],
    queryFn: ({ signal }) => readActions('change', ids, signal),
    enabled: ids.length > 0,
  });
  const inForce = usePolicyInForce().data;
  // What a change does never changes: it stops waiting, or the policy that it would replace is another one.
  const { asked, open, close, hasChanged } = useAskedRow<ChangeSummary, ChangeVerb>(({ changeId, kind }) =>
    JSON.stringify([ids.includes(changeId), kind === 'set_policy' ? inForce : null]),
  );
  const isShown = ({ kind }: ChangeSummary): boolean => kind !== 'set_policy' || inForce !== undefined;
  return (
    <Section title="To be confirmed">
      <div className="stack">
        <ChangedMeanwhile what="What waits for a second administrator" asked={{ hasChanged, close }} />
        <Unread query={actions} what="What you may do" />
        {changes.length === 0 ? (
          <Blank title="Nothing waits for a second administrator">
            <p>
              Changes of users, of their roles, of the policy and of endpoints are listed here, until another
              administrator confirms them.
            </p>
            <Link to="/admin">Look at the users</Link>
          </Blank>
        ) : null}
        {changes.map((change) => (
          <ChangeCard
            key={change.changeId}
            change={change}
            allowed={isShown(change) ? (actions.data?.get(change.changeId) ?? []) : []}
            onAsk={(verb) => open(verb, change)}
          />
        ))}
        {changes.length < MOST_CHANGES ? null : (
          <Notice tone="waiting">These are the newest {MOST_CHANGES}: there may be older ones.</Notice>
        )}
      </div>
      {asked === null ? null : <ChangeDialog change={asked.row} verb={asked.question} onClose={close} />}
    </Section>
  );
}

function Decided({ changes }: { changes: readonly ChangeSummary[] }): ReactNode {
  return (
    <Section title="Decided">
      {changes.length === 0 ? (
        <Blank title="No change was decided yet">
          <p>What was confirmed or rejected stays listed here.</p>
        </Blank>
      ) : null}
      <div className="stack">
        {changes.map((change) => (
          <ChangeCard key={change.changeId} change={change} allowed={[]} onAsk={null} />
        ))}
      </div>
    </Section>
  );
}
