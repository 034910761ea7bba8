import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type {
  AcceptedSchedule,
  ScheduleDefinition,
  ScheduleProblem,
  ScheduleSummary,
  WrittenSchedule,
} from '../../api/treasury/schedule.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { api } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { dayAt } from '../elements/times.ts';
import { Facts, Failed, Notice, Page, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useParam } from '../elements/use-address.ts';
import { Comparison } from './proposed-version.tsx';
import { AmountFields } from './schedule-amount-fields.tsx';
import { definitionOf, draftOf, emptyDraft, problemsOf, type ScheduleDraft } from './schedule-draft.ts';
import { ProblemList, problemsWithoutField } from './schedule-field.tsx';
import { TimingFields } from './schedule-timing-fields.tsx';
import { factsOf } from './schedule-words.ts';

export function NewSchedulePage(): ReactNode {
  return (
    <Page title="New schedule" under="It takes effect when another person has confirmed it.">
      <ScheduleForm known={null} />
    </Page>
  );
}

/** Proposes another version: the one in force stays so until that is confirmed. */
export function EditSchedulePage(): ReactNode {
  const scheduleId = useParam('scheduleId');
  const schedule = useQuery({
    queryKey: ['schedule', scheduleId, 'as it was opened'],
    queryFn: ({ signal }) => api.getSchedule({ scheduleId }, { signal }),
    // What somebody else does meanwhile must not overwrite what is typed here.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Page
      title={schedule.data === undefined ? 'Edit a schedule' : `Edit ${schedule.data.schedule.name}`}
      under="The version in force stays so until another person has confirmed the new one."
    >
      <Loaded query={schedule}>{(detail) => <ScheduleForm known={detail.schedule} />}</Loaded>
    </Page>
  );
}

function ScheduleForm({ known }: { known: ScheduleSummary | null }): ReactNode {
  const navigate = useNavigate();
  const before = known?.proposed ?? known?.inForce ?? null;
  const [draft, setDraft] = useState<ScheduleDraft>(() => {
    const today = dayAt(Date.now());
    return before === null
      ? { ...emptyDraft(today), ...(known === null ? {} : { name: known.name, account: known.account }) }
      : draftOf(before.schedule, today);
  });
  const scheduleId = known?.scheduleId ?? null;
  const send = (schedule: WrittenSchedule, dryRun: boolean): Promise<AcceptedSchedule> =>
    scheduleId === null ? api.addSchedule({ schedule, dryRun }) : api.editSchedule({ scheduleId, schedule, dryRun });
  const check = useAction((definition: WrittenSchedule) => send(definition, true));
  const propose = useAction((definition: WrittenSchedule) => send(definition, false), {
    changes: [['schedules'], ['schedule'], ['inbox']],
    then: (accepted) => void navigate({ to: `/treasury/schedules/${accepted.scheduleId ?? ''}` }),
  });
  const change = (parts: Partial<ScheduleDraft>): void => {
    // What was checked is not about other terms.
    setDraft({ ...draft, ...parts });
    check.reset();
    propose.reset();
  };
  const error = propose.error ?? check.error;
  const problems = [...problemsOf(draft), ...problemsIn(error)];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problemsOf(draft).length === 0) check.do(definitionOf(draft));
  };
  const definition = definitionOf(draft);
  return (
    <>
      {known?.proposed === null || known === null ? null : (
        <Notice tone="waiting" title={`Version ${known.proposed.version} waits for confirmation`}>
          You start from it. What you propose here takes its place.
        </Notice>
      )}
      <form className="stack" style={{ maxWidth: 720, gap: 20 }} onSubmit={submit} noValidate>
        <AmountFields draft={draft} problems={problems} isNew={known === null} onChange={change} />
        <TimingFields draft={draft} problems={problems} onChange={change} />
        <ProblemList problems={problemsWithoutField(problems)} count={problems.length} />
        {error === null || problems.length > 0 ? null : <Failed error={error} />}
        <div className="row">
          <Button type="submit" variant={check.answer === undefined ? 'filled' : 'default'} loading={check.isRunning}>
            Check it
          </Button>
          <Button
            variant="subtle"
            component={Link}
            to={scheduleId === null ? '/treasury/schedules' : `/treasury/schedules/${scheduleId}`}
          >
            Cancel
          </Button>
        </div>
      </form>
      {check.answer === undefined ? null : (
        <Review
          known={known}
          // The server has accepted it.
          definition={definition as ScheduleDefinition}
          warnings={check.answer.warnings}
          isRunning={propose.isRunning}
          onPropose={() => propose.do(definition)}
        />
      )}
    </>
  );
}

/** What was checked, as the second person will read it. */
function Review(props: {
  known: ScheduleSummary | null;
  definition: ScheduleDefinition;
  warnings: readonly string[];
  isRunning: boolean;
  onPropose: () => void;
}): ReactNode {
  const { known, definition, warnings, isRunning, onPropose } = props;
  const inForce = known?.inForce ?? null;
  return (
    <Section title="This is what another person confirms">
      <div className="stack">
        {warnings.map((warning) => (
          <Notice key={warning} tone="waiting">
            {warning}
          </Notice>
        ))}
        {inForce === null ? (
          <Facts of={factsOf(definition)} />
        ) : (
          <Comparison old={inForce.schedule} proposed={definition} />
        )}
        <div>
          <Button loading={isRunning} onClick={onPropose}>
            {known === null ? 'Propose the schedule' : 'Propose this version'}
          </Button>
        </div>
      </div>
    </Section>
  );
}

function problemsIn(error: unknown): ScheduleProblem[] {
  if (!(error instanceof PayrunApiError) || error.code !== 'schedule_refused') return [];
  const { problems } = (error.details ?? {}) as { problems?: ScheduleProblem[] };
  return problems ?? [];
}
