import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ActionableSchedule, ScheduleSummary } from '../../api/treasury/schedule.ts';
import { allows } from '../approvals/allowed.tsx';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Facts, Notice, Page, Section } from '../elements/page.tsx';
import { useParam } from '../elements/use-address.ts';
import { NextOccurrencesSection, PastOccurrencesSection } from './schedule-occurrences.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { ProposedVersion } from './proposed-version.tsx';
import { ScheduleStateMark } from './schedule-states.tsx';
import { factsOf } from './schedule-words.ts';

/** One schedule: what it does, what waits for a second person, when it is due, what it did. */
export function SchedulePage(): ReactNode {
  const scheduleId = useParam('scheduleId');
  const schedule = useQuery({
    queryKey: ['schedule', scheduleId],
    queryFn: ({ signal }) => api.getSchedule({ scheduleId }, { signal }),
    refetchInterval: 5_000,
  });
  const { data } = schedule;
  const found = data?.schedule;
  return (
    <Page
      title={found?.name ?? 'Schedule'}
      under={found === undefined ? undefined : <Under schedule={found} />}
      actions={data === undefined ? undefined : <ScheduleActions of={data} />}
    >
      <Loaded query={schedule}>{(detail) => <Schedule detail={detail} />}</Loaded>
    </Page>
  );
}

function Under({ schedule }: { schedule: ScheduleSummary }): ReactNode {
  const { inForce, proposed } = schedule;
  return (
    <span className="row">
      <ScheduleStateMark state={schedule.state} />
      <span>account {schedule.account}</span>
      <span>
        {inForce === null ? 'no version in force' : `version ${inForce.version} in force`}
        {proposed === null ? '' : `, version ${proposed.version} proposed`}
      </span>
    </span>
  );
}

function Schedule({ detail }: { detail: ActionableSchedule }): ReactNode {
  const { schedule, occurrences, allowedActions } = detail;
  const { inForce, proposed, state } = schedule;
  return (
    <>
      <StateNotice schedule={schedule} />
      <ProposedVersion schedule={schedule} allowed={allowedActions} />
      {inForce === null && proposed === null ? (
        <Blank title="Its only version was rejected">
          <p>It places no order. Edit it to propose another version, or delete it.</p>
        </Blank>
      ) : null}
      {inForce === null ? null : (
        <Section title={`In force: version ${inForce.version}`}>
          <Facts of={factsOf(inForce.schedule)} />
          <p className="muted small" style={{ margin: '8px 0 0' }}>
            Proposed by {inForce.proposedBy.name} <When at={inForce.proposedAt} />, confirmed by{' '}
            {inForce.decidedBy?.name ?? 'nobody'} <When at={inForce.decidedAt} />
            {inForce.comment === null ? '' : ` (“${inForce.comment}”)`} ·{' '}
            <code className="mono">{inForce.definitionHash.slice(0, 16)}</code>
          </p>
        </Section>
      )}
      {state === 'deleted' || (inForce === null && proposed === null) ? null : (
        <NextOccurrencesSection schedule={schedule} />
      )}
      <PastOccurrencesSection
        schedule={schedule}
        occurrences={occurrences}
        isAllowed={allows(allowedActions, 'backfill')}
      />
    </>
  );
}

/** Why it does nothing. */
function StateNotice({ schedule }: { schedule: ScheduleSummary }): ReactNode {
  const { state, stateText, stateReason, stateChangedBy, stateChangedAt } = schedule;
  if (state !== 'paused' && state !== 'deleted') return null;
  const word = state === 'paused' ? 'Paused' : 'Deleted';
  const by = stateChangedBy === null ? 'payrun by itself' : stateChangedBy.name;
  return (
    <Notice tone={stateReason === 'by_person' ? 'waiting' : 'failed'} title={`${word} by ${by}`}>
      <When at={stateChangedAt} />
      {stateText === null ? '' : ` · ${stateText}`}
      <div>
        {state === 'paused'
          ? 'It places no order until a treasurer resumes it.'
          : 'It never starts again. Its past occurrences are kept.'}
      </div>
    </Notice>
  );
}
