import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { ScheduleSummary, ScheduleVersion } from '../../api/treasury/schedule.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { Mark } from '../elements/mark.tsx';
import { Facts, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { type AskedAbout, useAskedAbout } from '../elements/use-asked-about.ts';
import { useSession } from '../shell/session.tsx';
import { factsOf } from './schedule-words.ts';

interface Compared {
  name: string;
  old: string | null;
  proposed: string | null;
}

/** Every part of both, with what is in force beside what is proposed. */
export function compareDefinitions(
  old: ScheduleVersion['schedule'],
  proposed: ScheduleVersion['schedule'],
): Compared[] {
  const [before, after] = [new Map(factsOf(old)), new Map(factsOf(proposed))];
  return [...new Set([...after.keys(), ...before.keys()])].map((name) => ({
    name,
    old: before.get(name) ?? null,
    proposed: after.get(name) ?? null,
  }));
}

const COLUMNS: readonly Column<Compared>[] = [
  {
    name: 'Part',
    cell: ({ name, old, proposed }) =>
      old === proposed ? (
        name
      ) : (
        <Mark tone="waiting">
          <strong>{name}</strong>
          <span className="unseen"> changes</span>
        </Mark>
      ),
  },
  { name: 'In force', cell: ({ old }) => old ?? <span className="muted">–</span> },
  {
    name: 'Proposed',
    cell: ({ old, proposed }) =>
      proposed === null ? <span className="muted">–</span> : old === proposed ? proposed : <strong>{proposed}</strong>,
  },
];

export function Comparison(props: {
  old: ScheduleVersion['schedule'];
  proposed: ScheduleVersion['schedule'];
}): ReactNode {
  const rows = compareDefinitions(props.old, props.proposed);
  return (
    <div className="stack">
      {rows.every(({ old, proposed }) => old === proposed) ? (
        <Notice tone="waiting">Only the notation differs: what it does stays the same.</Notice>
      ) : null}
      <Table label="In force and proposed" rows={rows} columns={COLUMNS} keyOf={({ name }) => name} />
    </div>
  );
}

type Decision = 'confirmed' | 'rejected';

/** What waits for a second person, if anything does: their decision is bound to the definition that stands here. */
export function ProposedVersion(props: { schedule: ScheduleSummary; allowed: readonly AllowedAction[] }): ReactNode {
  const { schedule, allowed } = props;
  const { proposed } = schedule;
  const asked = useAskedAbout<Decision>([schedule.scheduleId, proposed?.version, proposed?.definitionHash].join(' '));
  return (
    <>
      <ChangedMeanwhile what="The version that waits for confirmation" asked={asked} />
      {proposed === null ? null : <Waiting schedule={schedule} proposed={proposed} allowed={allowed} asked={asked} />}
    </>
  );
}

function Waiting(props: {
  schedule: ScheduleSummary;
  proposed: ScheduleVersion;
  allowed: readonly AllowedAction[];
  asked: AskedAbout<Decision>;
}): ReactNode {
  const { schedule, proposed, allowed, asked } = props;
  const { inForce } = schedule;
  const { user } = useSession();
  const isMine = proposed.proposedBy.userId === user.userId;
  return (
    <Section title={`Waits for confirmation: version ${proposed.version}`}>
      <div className="stack">
        <Notice
          tone="waiting"
          title={isMine ? 'Another person confirms what you proposed' : 'It takes a second person'}
        >
          Proposed by {proposed.proposedBy.name} <When at={proposed.proposedAt} />.{' '}
          {inForce === null
            ? 'It places no order before it is confirmed.'
            : `Version ${inForce.version} stays in force until it is confirmed.`}{' '}
          {isMine || allows(allowed, 'confirm') ? '' : 'A treasurer or a checker decides.'}
        </Notice>
        {inForce === null ? (
          <Facts of={factsOf(proposed.schedule)} />
        ) : (
          <Comparison old={inForce.schedule} proposed={proposed.schedule} />
        )}
        <div className="row">
          {allows(allowed, 'confirm') ? <Button onClick={() => asked.open('confirmed')}>Confirm …</Button> : null}
          {allows(allowed, 'reject') ? (
            <Button variant="default" onClick={() => asked.open('rejected')}>
              {isMine ? 'Take back …' : 'Reject …'}
            </Button>
          ) : null}
          <span className="muted small">
            Definition <code className="mono">{proposed.definitionHash.slice(0, 16)}</code>
          </span>
        </div>
      </div>
      <DecisionDialog
        // Another version is another question.
        key={proposed.definitionHash}
        schedule={schedule}
        proposed={proposed}
        decision={asked.question}
        isMine={isMine}
        onClose={asked.close}
      />
    </Section>
  );
}

function DecisionDialog(props: {
  schedule: ScheduleSummary;
  proposed: ScheduleVersion;
  decision: Decision | null;
  isMine: boolean;
  onClose: () => void;
}): ReactNode {
  const { schedule, proposed, decision, isMine, onClose } = props;
  const { version, definitionHash } = proposed;
  const decide = useAction(
    (comment: string | null) =>
      api.decideSchedule({
        ...{ scheduleId: schedule.scheduleId, version, definitionHash, comment },
        decision: decision ?? 'rejected',
      }),
    { changes: [['schedule', schedule.scheduleId], ['schedules'], ['cash'], ['inbox']], then: onClose },
  );
  const isConfirmed = decision === 'confirmed';
  const verb = isConfirmed ? 'Confirm' : isMine ? 'Take back' : 'Reject';
  return (
    <ReasonDialog
      title={`${verb} version ${version} of “${schedule.name}”?`}
      verb={`${verb} version ${version}`}
      reason="optional"
      reasonLabel="Comment (optional)"
      action={decide}
      isOpen={decision !== null}
      isDangerous={!isConfirmed}
      onClose={onClose}
    >
      {isConfirmed ? (
        <>
          <p style={{ margin: 0 }}>
            It places orders by itself from then on, each up to its limits, without a further approval.
          </p>
          <Facts of={factsOf(proposed.schedule)} />
        </>
      ) : null}
      <AskedFactor error={decide.error} onShown={decide.reset} />
      <p className="muted small" style={{ margin: 0 }}>
        The decision is bound to the definition <code className="mono">{definitionHash}</code>.
      </p>
    </ReasonDialog>
  );
}
