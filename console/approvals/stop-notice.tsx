import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { liftOf } from '../../api/approvals/lift-of-stop.ts';
import type { StopSummary } from '../../api/approvals/stop.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { Notice } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { allows } from './allowed.tsx';
import { readActions } from './read-actions.ts';

const SCOPES = {
  run: 'This run is stopped',
  account: 'All runs of the account',
  all: 'Everything is stopped',
} as const;

function titleOf({ scope, account }: StopSummary): string {
  return scope === 'account' ? `${SCOPES.account} ${account ?? ''} are stopped` : SCOPES[scope];
}

/** For whoever decides on a run that is stopped: one line, and where the stop is lifted. */
export function StoppedLine({ run: { runId, stops } }: { run: RunDetail }): ReactNode {
  const [stop] = stops;
  if (stop === undefined) return null;
  return (
    <Notice tone="failed" title={titleOf(stop)}>
      Decisions are recorded, and nothing is paid until the stop is lifted.{' '}
      <Link to="/runs/$runId" params={{ runId }}>
        See who stopped it, and why
      </Link>
    </Notice>
  );
}

/** An active stop: who stopped, why, and what is still needed to lift it. */
export function StopNotice({ stop, changes }: { stop: StopSummary; changes: readonly string[][] }): ReactNode {
  const { stopId, scope, stoppedBy, refusals, stoppedAt, reason, liftRequestedBy, liftRequestedAt } = stop;
  const actions = useQuery({
    queryKey: ['actions', 'stop', stopId, liftRequestedAt],
    queryFn: ({ signal }) => readActions('stop', [stopId], signal),
    // What was read under this key may be of the time before somebody asked and took it back.
    staleTime: 0,
  });
  // Where somebody else asks while the dialog is open, it closes: its answer would then let money go at once.
  const asked = useAskedAbout<'lift'>(liftRequestedAt ?? 'nobody');
  const lift = useAction(() => api.liftStop(liftOf(stop)), {
    changes: [...changes, ['stops'], ['actions']],
    then: asked.close,
  });
  const verb = liftRequestedBy === null ? 'Ask to lift the stop' : 'Lift the stop';
  return (
    <Notice tone="failed" title={titleOf(stop)}>
      <div className="stack" style={{ gap: 8 }}>
        <ChangedMeanwhile what="Who has asked to lift the stop" asked={asked} />
        <span>
          By {stoppedBy?.name ?? (refusals === null ? 'whoever started payrun' : 'payrun itself')},{' '}
          <When at={stoppedAt} />
          {reason === null ? '.' : `: “${reason}”.`} Nothing more is sent until the stop is lifted.
          {liftRequestedBy === null
            ? null
            : ` ${liftRequestedBy.name} has asked to lift it: another checker than ${liftRequestedBy.name} confirms.`}
        </span>
        <Unread query={actions} what="What you may do" />
        {allows(actions.data?.get(stopId), 'lift') ? (
          <div>
            <Button size="xs" variant="default" onClick={() => asked.open('lift')}>
              {verb} …
            </Button>
          </div>
        ) : null}
        <ReasonDialog
          title={scope === 'run' ? 'Let the run go on?' : 'Let payments go on?'}
          isOpen={asked.isOpen('lift')}
          onClose={asked.close}
          action={lift}
          verb={verb}
          reason="none"
        >
          <p>
            {liftRequestedBy === null
              ? 'Nothing is sent yet: a checker other than you has to confirm it.'
              : 'What is approved and was not sent yet is sent at once.'}
          </p>
        </ReasonDialog>
      </div>
    </Notice>
  );
}
