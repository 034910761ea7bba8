import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ResolutionOutcome, RowResolution } from '../../api/payments/resolution.ts';
import type { ActionableRow } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { resolveRow, type RowAt } from '../calls/run-calls.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Facts, Notice, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';

const OUTCOMES: readonly { value: ResolutionOutcome; label: string }[] = [
  { value: 'paid', label: 'Paid: the provider has paid it' },
  { value: 'rejected', label: 'Rejected: the provider has refused it, and will not pay it' },
  { value: 'failed', label: 'Failed: the provider could not carry it out, and will not pay it' },
  { value: 'never_created', label: 'Never created: the provider does not have the payment' },
];

type Question = 'propose' | 'confirm' | 'deny';

/** How an unknown payment ended is said by one person and confirmed by another. */
export function ResolveRow({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  const proposed = row.resolutions.find(({ state }) => state === 'proposed') ?? null;
  const asked = useAskedAbout<Question>([row.line, row.state, proposed?.resolutionId].join(' '));
  const may = {
    propose: allows(row.allowedActions, 'proposeResolution'),
    confirm: allows(row.allowedActions, 'confirmResolution'),
    deny: allows(row.allowedActions, 'denyResolution'),
  };
  const changed = <ChangedMeanwhile what="What is said of this row" asked={asked} />;
  if (proposed === null && !may.propose) return changed;
  const dialog = { row: { runId: run.runId, rowRef: row.rowRef }, proposed, onClose: asked.close };
  return (
    <Section title="How did it end?">
      <div className="stack">
        {changed}
        {proposed === null ? (
          <Notice tone="unknown">Ask the provider first. Do not pay it by other means before it is settled.</Notice>
        ) : (
          <Proposed resolution={proposed} />
        )}
        <div className="row">
          {may.propose ? <Button onClick={() => asked.open('propose')}>Say how it ended …</Button> : null}
          {may.confirm ? <Button onClick={() => asked.open('confirm')}>Confirm …</Button> : null}
          {may.deny ? (
            <Button variant="default" onClick={() => asked.open('deny')}>
              Deny …
            </Button>
          ) : null}
        </div>
      </div>
      <ProposeDialog {...dialog} isOpen={asked.isOpen('propose')} />
      <ConfirmDialog key={`confirm ${proposed?.resolutionId ?? ''}`} {...dialog} isOpen={asked.isOpen('confirm')} />
      <DenyDialog key={`deny ${proposed?.resolutionId ?? ''}`} {...dialog} isOpen={asked.isOpen('deny')} />
    </Section>
  );
}

function Proposed({ resolution }: { resolution: RowResolution }): ReactNode {
  const { outcome, proposedBy, reason, providerPaymentId } = resolution;
  return (
    <Facts
      of={[
        ['Said', OUTCOMES.find(({ value }) => value === outcome)?.label ?? outcome],
        ['By', proposedBy.name],
        ['Known from', reason],
        providerPaymentId === null ? null : ["Provider's id", providerPaymentId],
      ]}
    />
  );
}

interface DialogProps {
  row: RowAt;
  proposed: RowResolution | null;
  isOpen: boolean;
  onClose: () => void;
}

const changesOf = ({ runId }: RowAt): string[][] => [['run', runId], ['inbox']];

function ProposeDialog({ row, isOpen, onClose }: DialogProps): ReactNode {
  const [outcome, setOutcome] = useState<string | null>(null);
  const [paymentId, setPaymentId] = useState('');
  const propose = useAction(
    (reason: string | null) => resolveRow(row, '', { outcome, reason, providerPaymentId: paymentId.trim() || null }),
    { changes: changesOf(row), then: onClose },
  );
  return (
    <ReasonDialog
      title={`How did ${row.rowRef} end?`}
      verb="Propose"
      reason="required"
      reasonLabel="How it is known: whom you asked, and what they said"
      action={propose}
      isOpen={isOpen}
      isBlocked={outcome === null}
      onClose={onClose}
    >
      <Select label="It ended as" required data={[...OUTCOMES]} value={outcome} onChange={setOutcome} />
      <TextInput
        label="The provider's id of the payment (if it has one)"
        value={paymentId}
        onChange={(event) => setPaymentId(event.currentTarget.value)}
      />
    </ReasonDialog>
  );
}

function ConfirmDialog({ row, proposed, isOpen, onClose }: DialogProps): ReactNode {
  const confirm = useAction(() => resolveRow(row, '/confirm', { resolutionId: proposed?.resolutionId }), {
    changes: changesOf(row),
    then: onClose,
  });
  return (
    <ReasonDialog
      title="Confirm how it ended?"
      verb="Confirm"
      reason="none"
      action={confirm}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>payrun asks the provider once more first, and refuses if it says otherwise.</p>
      {proposed === null ? null : <Proposed resolution={proposed} />}
      <AskedFactor error={confirm.error} onShown={confirm.reset} />
    </ReasonDialog>
  );
}

function DenyDialog({ row, proposed, isOpen, onClose }: DialogProps): ReactNode {
  const deny = useAction(
    (reason: string | null) => resolveRow(row, '/deny', { resolutionId: proposed?.resolutionId, reason }),
    { changes: changesOf(row), then: onClose },
  );
  return (
    <ReasonDialog title="Deny it?" verb="Deny" reason="optional" action={deny} isOpen={isOpen} onClose={onClose}>
      {proposed === null ? null : <Proposed resolution={proposed} />}
    </ReasonDialog>
  );
}
