import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ActionableSchedule, ScheduleSummary } from '../../api/treasury/schedule.ts';
import { allows } from '../approvals/allowed.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { whatInWords } from './schedule-words.ts';

const MOVES = {
  pause: {
    call: api.pauseSchedule,
    verb: 'Pause',
    text: 'It places no order until a treasurer resumes it. An order that was placed and not created needs an approval of its own then.',
    isDangerous: false,
  },
  resume: {
    call: api.resumeSchedule,
    verb: 'Resume',
    text: 'It places orders again from its next occurrence on.',
    isDangerous: false,
  },
  delete: {
    call: api.deleteSchedule,
    verb: 'Delete',
    text: 'It never starts again, and a version that waits is dropped. Its past occurrences are kept.',
    isDangerous: true,
  },
} as const;
type Move = keyof typeof MOVES;

/** What this user may do with it now. */
export function ScheduleActions({ of: { schedule, allowedActions } }: { of: ActionableSchedule }): ReactNode {
  const asked = useAskedAbout<Move | 'trigger'>(
    [schedule.scheduleId, schedule.state, schedule.inForce?.version].join(' '),
  );
  const { close } = asked;
  return (
    <>
      <ChangedMeanwhile what="The schedule" asked={asked} />
      {allows(allowedActions, 'resume') ? <Button onClick={() => asked.open('resume')}>Resume …</Button> : null}
      {allows(allowedActions, 'trigger') ? (
        <Button variant="default" onClick={() => asked.open('trigger')}>
          Start now …
        </Button>
      ) : null}
      {allows(allowedActions, 'pause') ? (
        <Button variant="default" onClick={() => asked.open('pause')}>
          Pause …
        </Button>
      ) : null}
      {allows(allowedActions, 'edit') ? (
        <Button variant="default" component={Link} to={`/treasury/schedules/${schedule.scheduleId}/edit`}>
          Edit
        </Button>
      ) : null}
      {allows(allowedActions, 'delete') ? (
        <Button variant="default" onClick={() => asked.open('delete')}>
          Delete …
        </Button>
      ) : null}
      {(Object.keys(MOVES) as Move[]).map((move) => (
        <MoveDialog key={move} schedule={schedule} move={move} isOpen={asked.isOpen(move)} onClose={close} />
      ))}
      {asked.isOpen('trigger') ? <TriggerDialog schedule={schedule} onClose={close} /> : null}
    </>
  );
}

function changesOf({ scheduleId }: ScheduleSummary): string[][] {
  return [['schedule', scheduleId], ['schedules'], ['cash'], ['orders'], ['inbox']];
}

function MoveDialog(props: { schedule: ScheduleSummary; move: Move; isOpen: boolean; onClose: () => void }): ReactNode {
  const { schedule, move, isOpen, onClose } = props;
  const { call, verb, text, isDangerous } = MOVES[move];
  const { scheduleId } = schedule;
  const act = useAction((reason: string | null) => call({ scheduleId, reason }), {
    changes: changesOf(schedule),
    then: onClose,
  });
  return (
    <ReasonDialog
      title={`${verb} “${schedule.name}”?`}
      verb={verb}
      reason="optional"
      isDangerous={isDangerous}
      action={act}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>{text}</p>
    </ReasonDialog>
  );
}

/** Each opening of the dialog has a key of its own: a repeated click is the same occurrence. */
function TriggerDialog({ schedule, onClose }: { schedule: ScheduleSummary; onClose: () => void }): ReactNode {
  const [key] = useState(() => crypto.randomUUID());
  const { scheduleId, inForce } = schedule;
  const act = useAction(() => api.startOccurrence({ scheduleId }, { headers: { 'idempotency-key': key } }), {
    changes: changesOf(schedule),
    then: onClose,
  });
  return (
    <ReasonDialog
      title={`Start “${schedule.name}” now?`}
      verb="Start now"
      reason="none"
      action={act}
      isOpen
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {inForce === null ? '' : whatInWords(inForce.schedule)}, now and once.{' '}
        {inForce?.schedule.kind === 'fixed_amount'
          ? 'Another person approves the order before anything is converted.'
          : 'Its order needs no further approval within the limits that two people have confirmed.'}
      </p>
    </ReasonDialog>
  );
}
