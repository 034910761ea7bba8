import { Button, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconHandStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows } from '../approvals/allowed.tsx';
import { addressOf } from '../calls/call.ts';
import { cancelRun, stopRun, withdrawRun } from '../calls/run-calls.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { counted } from '../elements/formats.ts';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';

type Asked = 'stop' | 'cancel' | 'withdraw';

/** What the server lets one do with the run now. */
export function RunActions({ run }: { run: RunDetail }): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayRead = useMay('read_instructions');
  const { allowedActions, runId } = run;
  const ownStop = run.stops.find(({ scope }) => scope === 'run');
  const close = (): void => setAsked(null);
  const others = (['withdraw', 'cancel'] as const).filter((action) => allows(allowedActions, action));
  return (
    <>
      {allows(allowedActions, 'approve') ? (
        <Button component={Link} to={`/runs/${runId}/decide`}>
          Decide
        </Button>
      ) : null}
      {allows(allowedActions, 'stop') && (ownStop === undefined || ownStop.liftRequestedBy !== null) ? (
        <Button variant="default" leftSection={<IconHandStop size={16} />} onClick={() => setAsked('stop')}>
          {ownStop === undefined ? 'Stop' : 'Keep it stopped'}
        </Button>
      ) : null}
      {mayRead ? <Downloads runId={runId} /> : null}
      {others.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" aria-label="More" px={10}>
              <IconDots size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((action) => (
              <Menu.Item key={action} color="red" onClick={() => setAsked(action)}>
                {VERBS[action]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {ownStop === undefined ? (
        <StopDialog run={run} isOpen={asked === 'stop'} onClose={close} />
      ) : (
        <KeepStoppedDialog run={run} isOpen={asked === 'stop'} onClose={close} />
      )}
      <CancelDialog run={run} isOpen={asked === 'cancel'} onClose={close} />
      <WithdrawDialog run={run} isOpen={asked === 'withdraw'} onClose={close} />
    </>
  );
}

const VERBS = { withdraw: 'Withdraw the run', cancel: 'Cancel the run for good' } as const;

function Downloads({ runId }: { runId: string }): ReactNode {
  const at = (file: string): string => addressOf({ path: `/runs/${runId}/${file}` });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={at('results.csv')} download>
          Results: a line for every row
        </Menu.Item>
        <Menu.Item component="a" href={at('exceptions.csv')} download>
          Exceptions: rows not paid, to correct
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface DialogProps {
  run: RunDetail;
  isOpen: boolean;
  onClose: () => void;
}

const changesOf = (run: RunDetail): string[][] => [['run', run.runId], ['runs'], ['inbox']];

function StopDialog({ run, isOpen, onClose }: DialogProps): ReactNode {
  const stop = useAction((reason: string | null) => stopRun(run.runId, reason), {
    changes: changesOf(run),
    then: onClose,
  });
  const inFlight = (run.rows.funded ?? 0) + (run.rows.processing ?? 0);
  return (
    <ReasonDialog
      title={`Stop ${run.fileName}?`}
      verb="Stop the run"
      reason="optional"
      isDangerous
      action={stop}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        Nothing more is sent from now on.{' '}
        {inFlight > 0 ? `${counted(inFlight, 'payment')} whose money was sent will still finish. ` : ''}
        Two people lift a stop: one asks for it, and a checker other than that person confirms.
      </p>
    </ReasonDialog>
  );
}

/** Whoever stops a stopped run again takes back a request to lift the stop. */
function KeepStoppedDialog({ run, isOpen, onClose }: DialogProps): ReactNode {
  const keep = useAction((reason: string | null) => stopRun(run.runId, reason), {
    changes: changesOf(run),
    then: onClose,
  });
  return (
    <ReasonDialog
      title={`Keep ${run.fileName} stopped?`}
      verb="Keep it stopped"
      reason="none"
      action={keep}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        The request to lift the stop is withdrawn. Somebody has to ask for it again before the run can go on.
      </p>
    </ReasonDialog>
  );
}

function CancelDialog({ run, isOpen, onClose }: DialogProps): ReactNode {
  const cancel = useAction((reason: string | null) => cancelRun(run.runId, reason), {
    changes: changesOf(run),
    then: onClose,
  });
  return (
    <ReasonDialog
      title={`Cancel ${run.fileName} for good?`}
      verb="Cancel the run"
      reason="optional"
      isDangerous
      action={cancel}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        Rows that were not sent are ended and never paid. What was sent before may still be paid, and is confirmed. This
        cannot be undone.
      </p>
    </ReasonDialog>
  );
}

function WithdrawDialog({ run, isOpen, onClose }: DialogProps): ReactNode {
  const withdraw = useAction((reason: string | null) => withdrawRun(run.runId, reason), {
    changes: changesOf(run),
    then: onClose,
  });
  return (
    <ReasonDialog
      title={`Withdraw ${run.fileName}?`}
      verb="Withdraw the run"
      reason="optional"
      isDangerous
      action={withdraw}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>Nothing of it is paid. To pay it after all, the file is submitted again.</p>
    </ReasonDialog>
  );
}
