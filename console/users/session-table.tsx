import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionSummary } from '../../api/users/session.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Facts } from '../elements/page.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';

const USER: Column<SessionSummary> = {
  name: 'User',
  compare: (one, other) => compareText(one.name, other.name),
  cell: ({ name, login }) => (
    <>
      <strong>{name}</strong>
      <div className="muted small">{login}</div>
    </>
  ),
};

/** Where one is signed in, or where everybody is. */
export function SessionTable({ whose }: { whose: 'own' | 'all' }): ReactNode {
  const sessions = useQuery({
    queryKey: ['sessions', whose],
    queryFn: async ({ signal }) => (await api.listSessions({ own: whose === 'own' }, { signal })).sessions,
  });
  const { asked, open, close, hasChanged } = useAskedRow<SessionSummary, 'end'>(({ sessionId }) =>
    String(sessions.data?.find((each) => each.sessionId === sessionId)?.isActive ?? false),
  );
  const columns: readonly Column<SessionSummary>[] = [
    ...(whose === 'all' ? [USER] : []),
    {
      name: 'Browser',
      cell: ({ browser, isThis }) => (
        <>
          <strong>{browser ?? 'not known'}</strong>
          {isThis ? <span className="muted"> · this one</span> : null}
        </>
      ),
    },
    { name: 'Signed in by', isWideOnly: true, cell: ({ method }) => inWords(method) },
    { name: 'From', cell: ({ address }) => address ?? '–' },
    { name: 'Since', cell: ({ createdAt }) => <When at={createdAt} /> },
    { name: 'Used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    {
      name: '',
      align: 'right',
      cell: (session) =>
        session.isThis ? null : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`End the session of ${session.name}`}
            onClick={() => open('end', session)}
          >
            End …
          </Button>
        ),
    },
  ];
  return (
    <div className="stack">
      <ChangedMeanwhile what="The session" asked={{ hasChanged, close }} />
      <Loaded query={sessions}>
        {(list) => {
          const active = list.filter(({ isActive }) => isActive);
          return active.length === 0 ? (
            <Blank title="Nobody is signed in at the console">
              <p>A session appears here when somebody signs in with a browser.</p>
            </Blank>
          ) : (
            <Table label="Sessions" rows={active} columns={columns} keyOf={({ sessionId }) => sessionId} />
          );
        }}
      </Loaded>
      {asked === null ? null : <EndDialog session={asked.row} onClose={close} />}
    </div>
  );
}

function EndDialog({ session, onClose }: { session: SessionSummary; onClose: () => void }): ReactNode {
  const { sessionId, name, browser, address, lastUsedAt } = session;
  const end = useAction(() => api.endSession({ sessionId }), { changes: [['sessions']], then: onClose });
  return (
    <ReasonDialog
      title="End this session?"
      verb={`End the session of ${name}`}
      reason="none"
      isDangerous
      action={end}
      isOpen
      onClose={onClose}
    >
      <Facts
        of={[
          ['User', name],
          ['Browser', browser ?? 'not known'],
          ['From', address],
          ['Used', <When key="used" at={lastUsedAt} />],
        ]}
      />
      <p style={{ margin: 0 }}>
        It ends at once and does not come back: whoever uses that browser has to sign in again. What they have recorded
        stays.
      </p>
    </ReasonDialog>
  );
}
