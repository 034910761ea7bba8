import { type ReactNode, useState } from 'react';
import type { ScheduleOccurrence, ScheduleSummary } from '../../api/treasury/schedule.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { formatDay } from '../elements/times.ts';
import { useAction } from '../elements/use-action.tsx';
import { whatInWords } from './schedule-words.ts';

/** Starts an occurrence that was missed; its order needs the approval of another person. */
export function MakeUpDialog(props: {
  schedule: ScheduleSummary;
  missed: ScheduleOccurrence | null;
  onClose: () => void;
}): ReactNode {
  const { schedule, missed, onClose } = props;
  const { scheduleId, inForce } = schedule;
  const [key] = useState(() => crypto.randomUUID());
  const start = useAction(
    () => {
      const time = inForce?.schedule.times[(missed?.slot ?? 1) - 1] ?? null;
      const occurrence = { scheduleId, date: missed?.localDate ?? '', time };
      return api.startOccurrence(occurrence, { headers: { 'idempotency-key': key } });
    },
    { changes: [['schedule', scheduleId], ['schedules'], ['orders']], then: onClose },
  );
  return (
    <ReasonDialog
      title={missed === null ? '' : `Make up for ${formatDay(missed.localDate)}?`}
      verb="Start it"
      reason="none"
      action={start}
      isOpen={missed !== null}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {inForce === null ? '' : whatInWords(inForce.schedule)}, now. Another person approves the order before anything
        is converted.
      </p>
    </ReasonDialog>
  );
}
