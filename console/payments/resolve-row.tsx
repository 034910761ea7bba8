import { Button, Select, TextInput } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { ResolutionOutcome, ResolutionRequest, RowResolution } from '../../api/payments/resolution.ts';
import type { ActionableRow } from '../../api/runs/row-detail.ts';
import type { RowKey } from '../../api/runs/row.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Facts, Notice, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { inWords } from '../elements/formats.ts';
import { factsOf } from './row-amounts.tsx';
import { LastEvidence } from './row-timeline.tsx';
import { consequenceOf, evidenceOf, labelOf, OUTCOMES } from './row-words.ts';

type Question = 'propose' | 'confirm' | 'deny';

/** How an unknown payment ended is said by one person and confirmed by another. */
export function ResolveRow({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  const proposed = row.resolutions.find(({ state }) => state === 'proposed') ?? null;
  const asked = useAskedAbout<Question>(evidenceOf(row));
  const may = {
    propose: allows(row.allowedActions, 'proposeResolution'),
    confirm: allows(row.allowedActions, 'confirmResolution'),
    deny: allows(row.allowedActions, 'denyResolution'),
  };
  const changed = <ChangedMeanwhile what="What is known of this row" asked={asked} />;
  if (proposed === null && !may.propose) return changed;
  const dialog = { at: { runId: run.runId, rowRef: row.rowRef }, row, onClose: asked.close };
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
      {proposed === null ? null : (
        <Fragment key={proposed.resolutionId}>
          <ConfirmDialog {...dialog} proposed={proposed} isOpen={asked.isOpen('confirm')} />
          <DenyDialog {...dialog} proposed={proposed} isOpen={asked.isOpen('deny')} />
        </Fragment>
      )}
    </Section>
  );
}

function Proposed({ resolution }: { resolution: RowResolution }): ReactNode {
  const { outcome, proposedBy, reason, providerPaymentId } = resolution;
  return (
    <Facts
      of={[
        ['Said', labelOf(outcome)],
        ['By', proposedBy.name],
        ['Known from', reason],
        providerPaymentId === null ? null : ["Provider's id", providerPaymentId],
      ]}
    />
  );
}

/** The row that a dialog asks about, with what was seen of it at the provider. */
function InQuestion({ row }: { row: ActionableRow }): ReactNode {
  return (
    <>
      <Facts
        of={[
          ...factsOf(row),
          ['Our reference', row.referenceId],
          ["Provider's id", row.providerPaymentId],
          ['Provider shows', row.providerStatus === null ? null : inWords(row.providerStatus)],
        ]}
      />
      <LastEvidence row={row} />
    </>
  );
}

function Consequence({ of }: { of: string | null }): ReactNode {
  const text = consequenceOf(of);
  return text === null ? null : <Notice tone={of === 'paid' ? 'neutral' : 'waiting'}>{text}</Notice>;
}

interface DialogProps {
  at: RowKey;
  row: ActionableRow;
  isOpen: boolean;
  onClose: () => void;
}

interface DecisionProps extends DialogProps {
  proposed: RowResolution;
}

const changesOf = ({ runId }: RowKey): string[][] => [['run', runId], ['inbox']];

function ProposeDialog({ at, row, isOpen, onClose }: DialogProps): ReactNode {
  const [outcome, setOutcome] = useState<ResolutionOutcome | null>(null);
  const [paymentId, setPaymentId] = useState('');
  const propose = useAction((proposal: ResolutionRequest) => api.proposeResolution({ ...at, ...proposal }), {
    changes: changesOf(at),
    then: onClose,
  });
  const providerPaymentId = paymentId.trim() || null;
  return (
    <ReasonDialog
      title={`How did ${row.rowRef} end?`}
      verb="Propose"
      reason="required"
      reasonLabel="How it is known: whom you asked, and what they said"
      action={{
        ...propose,
        do: (reason) => outcome !== null && propose.do({ outcome, reason: reason ?? '', providerPaymentId }),
      }}
      isOpen={isOpen}
      isBlocked={outcome === null}
      onClose={onClose}
    >
      <InQuestion row={row} />
      <Select label="It ended as" required data={[...OUTCOMES]} value={outcome} onChange={setOutcome} />
      <Consequence of={outcome} />
      <TextInput
        label="The provider's id of the payment (if it has one)"
        value={paymentId}
        onChange={(event) => setPaymentId(event.currentTarget.value)}
      />
      <p style={{ margin: 0 }}>Nothing changes before a second person confirms it, who did not make the run.</p>
    </ReasonDialog>
  );
}

function ConfirmDialog({ at, row, proposed, isOpen, onClose }: DecisionProps): ReactNode {
  const confirm = useAction(() => api.confirmResolution({ ...at, resolutionId: proposed.resolutionId }), {
    changes: changesOf(at),
    then: onClose,
  });
  return (
    <ReasonDialog
      title={`Confirm how ${row.rowRef} ended?`}
      verb="Confirm"
      reason="none"
      action={confirm}
      isOpen={isOpen}
      onClose={onClose}
    >
      <InQuestion row={row} />
      <Proposed resolution={proposed} />
      <Consequence of={proposed.outcome} />
      <p style={{ margin: 0 }}>payrun asks the provider once more first, and refuses if it says otherwise.</p>
      <AskedFactor error={confirm.error} onShown={confirm.reset} />
    </ReasonDialog>
  );
}

function DenyDialog({ at, row, proposed, isOpen, onClose }: DecisionProps): ReactNode {
  const deny = useAction(
    (reason: string | null) => api.denyResolution({ ...at, resolutionId: proposed.resolutionId, reason }),
    { changes: changesOf(at), then: onClose },
  );
  return (
    <ReasonDialog
      title={`Deny what is said of ${row.rowRef}?`}
      verb="Deny"
      reason="optional"
      action={deny}
      isOpen={isOpen}
      onClose={onClose}
    >
      <InQuestion row={row} />
      <Proposed resolution={proposed} />
      <p style={{ margin: 0 }}>The row stays unknown until somebody says again how it ended, and it is confirmed.</p>
    </ReasonDialog>
  );
}
