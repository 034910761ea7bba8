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

type Question = 'stop' | 'keepStopped' | 'cancel' | 'withdraw';

/** What the server lets one do with the run now. */
export function RunActions({ run }: { run: RunDetail }): ReactNode {
  const [asked, setAsked] = useState<Question | null>(null);
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
        <Button
          variant="default"
          leftSection={<IconHandStop size={16} />}
          onClick={() => setAsked(ownStop === undefined ? 'stop' : 'keepStopped')}
        >
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
      {(Object.keys(QUESTIONS) as Question[]).map((question) => (
        <QuestionDialog key={question} run={run} question={question} isOpen={asked === question} onClose={close} />
      ))}
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

/** What each action asks before it is done. */
const QUESTIONS: Readonly<
  Record<
    Question,
    {
      titleOf: (run: RunDetail) => string;
      verb: string;
      reason: 'optional' | 'none';
      isDangerous: boolean;
      act: (runId: string, reason: string | null) => Promise<unknown>;
      textOf: (run: RunDetail) => string;
    }
  >
> = {
  stop: {
    titleOf: ({ fileName }) => `Stop ${fileName}?`,
    verb: 'Stop the run',
    reason: 'optional',
    isDangerous: true,
    act: stopRun,
    textOf: (run) => `Nothing more is sent from now on. ${whatFinishes(run)}${TWO_PEOPLE}`,
  },
  // Whoever stops a stopped run again takes back a request to lift the stop.
  keepStopped: {
    titleOf: ({ fileName }) => `Keep ${fileName} stopped?`,
    verb: 'Keep it stopped',
    reason: 'none',
    isDangerous: false,
    act: stopRun,
    textOf: () =>
      'The request to lift the stop is withdrawn. Somebody has to ask for it again before the run can go on.',
  },
  cancel: {
    titleOf: ({ fileName }) => `Cancel ${fileName} for good?`,
    verb: 'Cancel the run',
    reason: 'optional',
    isDangerous: true,
    act: cancelRun,
    textOf: () =>
      'Rows that were not sent are ended and never paid. What was sent before may still be paid, and is confirmed. This ' +
      'cannot be undone.',
  },
  withdraw: {
    titleOf: ({ fileName }) => `Withdraw ${fileName}?`,
    verb: 'Withdraw the run',
    reason: 'optional',
    isDangerous: true,
    act: withdrawRun,
    textOf: () => 'Nothing of it is paid. To pay it after all, the file is submitted again.',
  },
};

const TWO_PEOPLE = 'Two people lift a stop: one asks for it, and a checker other than that person confirms.';

function whatFinishes({ rows }: RunDetail): string {
  const inFlight = (rows.funded ?? 0) + (rows.processing ?? 0);
  return inFlight > 0 ? `${counted(inFlight, 'payment')} whose money was sent will still finish. ` : '';
}

function QuestionDialog(props: {
  run: RunDetail;
  question: Question;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { run, question, ...dialog } = props;
  const { titleOf, act, textOf, ...words } = QUESTIONS[question];
  const action = useAction((reason: string | null) => act(run.runId, reason), {
    changes: [['run', run.runId], ['runs'], ['inbox']],
    then: dialog.onClose,
  });
  return (
    <ReasonDialog {...dialog} {...words} title={titleOf(run)} action={action}>
      <p style={{ margin: 0 }}>{textOf(run)}</p>
    </ReasonDialog>
  );
}
