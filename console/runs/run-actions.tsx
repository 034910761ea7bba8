import { Button, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconHandStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows } from '../approvals/allowed.tsx';
import { api, linkTo } from '../calls/api.ts';
import { Dialog, ReasonDialog } from '../elements/dialog.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';
import { afterCancellation, afterStop, beforeCancellation, beforeStop } from './stop-words.ts';

type Question = 'send' | 'stop' | 'keepStopped' | 'cancel' | 'withdraw' | 'erase';

/** What the server lets one do with the run now. */
export function RunActions({ run }: { run: RunDetail }): ReactNode {
  const [asked, setAsked] = useState<Question | null>(null);
  const [outcome, setOutcome] = useState<ActionOutcome | null>(null);
  const mayRead = useMay('read_instructions');
  const { allowedActions, runId } = run;
  const ownStop = run.stops.find(({ scope }) => scope === 'run');
  const close = (): void => setAsked(null);
  const others = (['withdraw', 'cancel', 'erase'] as const).filter((action) => allows(allowedActions, action));
  return (
    <>
      {allows(allowedActions, 'approve') ? (
        <Button component={Link} to={`/runs/${runId}/decide`}>
          Decide
        </Button>
      ) : null}
      {allows(allowedActions, 'send') ? <Button onClick={() => setAsked('send')}>Send for approval …</Button> : null}
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
        <QuestionDialog
          key={question}
          {...{ run, question }}
          isOpen={asked === question}
          onClose={close}
          onOutcome={setOutcome}
        />
      ))}
      <OutcomeDialog outcome={outcome} onClose={() => setOutcome(null)} />
    </>
  );
}

const VERBS = {
  withdraw: 'Withdraw the run',
  cancel: 'Cancel the run for good',
  erase: 'Erase what it has of payees',
} as const;

function Downloads({ runId }: { runId: string }): ReactNode {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={linkTo('getSheet', { runId })} download>
          Sheet: headers and cells as they were submitted
        </Menu.Item>
        <Menu.Item component="a" href={linkTo('getProposal', { runId })} download>
          Proposal: what every row is expected to cost
        </Menu.Item>
        <Menu.Item component="a" href={linkTo('getResults', { runId })} download>
          Results: a line for every row
        </Menu.Item>
        <Menu.Item component="a" href={linkTo('getExceptions', { runId })} download>
          Exceptions: rows known not to be paid, to correct
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
      /** Resolves to what is shown afterwards; null: nothing. */
      act: (runId: string, reason: string | null, contentHash: string) => Promise<ActionOutcome | null>;
      textOf: (run: RunDetail) => readonly string[];
    }
  >
> = {
  send: {
    titleOf: ({ fileName }) => `Send ${fileName} for approval?`,
    verb: 'Send for approval',
    reason: 'none',
    isDangerous: false,
    act: (runId, _reason, contentHash) => api.sendRun({ runId, contentHash }).then(() => null),
    textOf: () => ['From then on others can decide on it. It is paid once they have approved it.'],
  },
  stop: {
    titleOf: ({ fileName }) => `Stop ${fileName}?`,
    verb: 'Stop the run',
    reason: 'optional',
    isDangerous: true,
    act: async (runId, reason) => ({
      title: 'The run is stopped',
      lines: afterStop(await api.stopRun({ runId, reason })),
    }),
    textOf: ({ rows }) => [...beforeStop(rows), TWO_PEOPLE],
  },
  // Whoever stops a stopped run again takes back a request to lift the stop.
  keepStopped: {
    titleOf: ({ fileName }) => `Keep ${fileName} stopped?`,
    verb: 'Keep it stopped',
    reason: 'none',
    isDangerous: false,
    act: (runId, reason) => api.stopRun({ runId, reason }).then(() => null),
    textOf: () => [
      'The request to lift the stop is withdrawn. Somebody has to ask for it again before the run can go on.',
    ],
  },
  cancel: {
    titleOf: ({ fileName }) => `Cancel ${fileName} for good?`,
    verb: 'Cancel the run',
    reason: 'optional',
    isDangerous: true,
    act: cancelAndRead,
    textOf: ({ rows }) => beforeCancellation(rows),
  },
  withdraw: {
    titleOf: ({ fileName }) => `Withdraw ${fileName}?`,
    verb: 'Withdraw the run',
    reason: 'optional',
    isDangerous: true,
    act: (runId, reason) => api.withdrawRun({ runId, reason }).then(() => null),
    textOf: () => ['Nothing of it is paid. To pay it after all, the file is submitted again.'],
  },
  erase: {
    titleOf: ({ fileName }) => `Erase whom ${fileName} has paid?`,
    verb: 'Propose it',
    reason: 'none',
    isDangerous: true,
    act: (runId) => api.eraseRun({ runId }).then(() => null),
    textOf: () => [
      'A second administrator confirms it. Then nobody reads names, accounts, references, cells and files of its rows any more, here or in backups.',
      'Amounts, states, row references and what the provider calls its payments stay. Its rows cannot be submitted again. This cannot be undone.',
    ],
  },
};

const TWO_PEOPLE = 'Two people lift a stop: one asks for it, and a checker other than that person confirms.';

/** It is cancelled, whether or not its rows can be read afterwards. */
async function cancelAndRead(runId: string, reason: string | null): Promise<ActionOutcome> {
  const cancelled = await api.cancelRun({ runId, reason });
  const run = await api.getRun({ runId }, { signal: AbortSignal.timeout(READ_WITHIN_MS) }).catch(() => null);
  return { title: 'The run is cancelled', lines: afterCancellation(cancelled, run?.rows ?? null) };
}

const READ_WITHIN_MS = 10_000;

/** What is shown once it is done. */
interface ActionOutcome {
  title: string;
  lines: readonly string[];
}

function OutcomeDialog({ outcome, onClose }: { outcome: ActionOutcome | null; onClose: () => void }): ReactNode {
  return (
    <Dialog title={outcome?.title ?? ''} isOpen={outcome !== null} onClose={onClose}>
      <Lines of={outcome?.lines ?? []} />
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button data-autofocus onClick={onClose}>
          I have read it
        </Button>
      </div>
    </Dialog>
  );
}

function Lines({ of }: { of: readonly string[] }): ReactNode {
  return of.map((line) => (
    <p key={line} style={{ margin: 0 }}>
      {line}
    </p>
  ));
}

function QuestionDialog(props: {
  run: RunDetail;
  question: Question;
  isOpen: boolean;
  onClose: () => void;
  onOutcome: (outcome: ActionOutcome | null) => void;
}): ReactNode {
  const { run, question, onOutcome, ...dialog } = props;
  const { titleOf, act, textOf, ...words } = QUESTIONS[question];
  const action = useAction((reason: string | null) => act(run.runId, reason, run.proposal?.contentHash ?? ''), {
    changes: [['run', run.runId], ['runs'], ['inbox'], ['changes']],
    then: (outcome) => {
      dialog.onClose();
      onOutcome(outcome);
    },
  });
  return (
    <ReasonDialog {...dialog} {...words} title={titleOf(run)} action={action}>
      <Lines of={textOf(run)} />
    </ReasonDialog>
  );
}
