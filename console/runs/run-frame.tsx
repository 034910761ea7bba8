import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';
import { useParam } from '../elements/use-address.ts';
import { useTopic } from '../shell/live.tsx';
import { useMay } from '../shell/session.tsx';
import { RunActions } from './run-actions.tsx';
import { RunStateMark } from './run-states.tsx';

/** What all pages of a run have in common: its name, its state, what one may do, its parts. */
export function RunFrame({ children }: { children: (run: RunDetail) => ReactNode }): ReactNode {
  const runId = useParam('runId');
  const refetchInterval = useTopic(`run:${runId}`);
  const run = useQuery({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => api.getRun({ runId }, { signal }),
    refetchInterval,
  });
  return (
    <Page
      title={run.data?.fileName ?? 'Run'}
      under={run.data === undefined ? undefined : <Under run={run.data} />}
      actions={run.data === undefined ? undefined : <RunActions run={run.data} />}
    >
      <RunTabs runId={runId} run={run.data} />
      <Loaded query={run}>{children}</Loaded>
    </Page>
  );
}

function Under({ run }: { run: RunDetail }): ReactNode {
  return (
    <span className="row">
      <RunStateMark state={run.state} />
      <span>
        submitted by {run.submittedBy.name} <When at={run.submittedAt} />
      </span>
      <span>account {run.account}</span>
      {run.expiresAt === null ? null : (
        <span>
          expires <When at={run.expiresAt} />
        </span>
      )}
    </span>
  );
}

function RunTabs({ runId, run }: { runId: string; run: RunDetail | undefined }): ReactNode {
  const mayRead = useMay('read_instructions');
  const at = `/runs/${runId}`;
  const waits = run?.state === 'in_approval';
  return (
    <Tabs
      label="Parts of the run"
      of={[
        { to: at, name: 'Overview' },
        ...(waits && mayRead ? [{ to: `${at}/decide`, name: 'Decide' }] : []),
        { to: `${at}/rows`, name: 'Rows' },
        ...(mayRead ? [{ to: `${at}/files`, name: 'Files' }] : []),
        { to: `${at}/audit`, name: 'Audit' },
      ]}
    />
  );
}
