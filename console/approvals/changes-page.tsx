import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { ChangeSummary } from '../../api/approvals/change.ts';
import { decideChange, listChanges, readActions } from '../calls/approval-calls.ts';
import { When } from '../elements/figures.tsx';
import { capitalised, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Failed, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { AdminFrame } from '../users/admin-frame.tsx';
import { allows } from './allowed.tsx';

const TONES = { pending: 'waiting', effective: 'paid', rejected: 'failed' } as const;

/** Changes that take two administrators: those that wait, and those that were decided. */
export function ChangesPage(): ReactNode {
  const changes = useQuery({
    queryKey: ['changes'],
    queryFn: ({ signal }) => listChanges(signal),
    refetchInterval: 15_000,
  });
  const pending = changes.data?.filter(({ state }) => state === 'pending') ?? [];
  const ids = pending.map(({ changeId }) => changeId);
  const actions = useQuery({
    queryKey: ['actions', 'change', ids],
    queryFn: ({ signal }) => readActions('change', ids, signal),
    enabled: ids.length > 0,
  });
  return (
    <AdminFrame>
      <Loaded query={changes}>
        {(list) => (
          <>
            <Section title="To be confirmed">
              {pending.length === 0 ? <Blank title="Nothing waits for a second administrator" /> : null}
              <div className="stack">
                {pending.map((change) => (
                  <Change key={change.changeId} change={change} allowed={actions.data?.get(change.changeId) ?? []} />
                ))}
              </div>
            </Section>
            <Section title="Decided">
              {list.length === pending.length ? <Blank title="No change was decided yet" /> : null}
              <div className="stack">
                {list
                  .filter(({ state }) => state !== 'pending')
                  .map((change) => (
                    <Change key={change.changeId} change={change} allowed={[]} />
                  ))}
              </div>
            </Section>
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

function Change({ change, allowed }: { change: ChangeSummary; allowed: readonly AllowedAction[] }): ReactNode {
  const { changeId, kind, user, state, proposedBy, proposedAt, decidedBy, decidedAt, takesEffectAt, detail } = change;
  const decide = useAction((verb: 'confirm' | 'reject') => decideChange(changeId, verb), {
    changes: [['changes'], ['users'], ['inbox'], ['actions'], ['policy'], ['endpoints']],
  });
  const told = Object.entries(detail).filter(([, value]) => value !== null);
  return (
    <div className="card stack" style={{ gap: 8 }}>
      <div className="row spread">
        <Mark tone={TONES[state]}>
          <strong>{capitalised(inWords(kind))}</strong>
          {user === null ? '' : `: ${user.name}`}
        </Mark>
        <span className="muted small">{inWords(state)}</span>
      </div>
      {told.length === 0 ? null : (
        <pre className="mono" style={{ margin: 0, whiteSpace: 'pre-wrap' }}>
          {told
            .map(([name, value]) => `${inWords(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join('\n')}
        </pre>
      )}
      <span className="muted small">
        Proposed by {proposedBy?.name ?? 'payrun'} <When at={proposedAt} />
        {decidedBy === null ? null : (
          <>
            {' '}
            · decided by {decidedBy.name} <When at={decidedAt} />
          </>
        )}
        {state === 'pending' && takesEffectAt !== null ? (
          <>
            {' '}
            · takes effect by itself <When at={takesEffectAt} />
          </>
        ) : null}
      </span>
      {decide.error === null ? null : <Failed error={decide.error} />}
      <div className="row">
        {allows(allowed, 'confirm') ? (
          <Button size="xs" loading={decide.isRunning} onClick={() => decide.do('confirm')}>
            Confirm
          </Button>
        ) : null}
        {allows(allowed, 'reject') ? (
          <Button size="xs" variant="default" loading={decide.isRunning} onClick={() => decide.do('reject')}>
            Object
          </Button>
        ) : null}
      </div>
    </div>
  );
}
