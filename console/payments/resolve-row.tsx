import { Button, Select, TextInput } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { ManualOutcomeKind, ManualOutcomeRequest, RowManualOutcome } from '../../api/payments/manual-outcome.ts';
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

type Question = 'propose' | 'confirm' | 'reject';

/** How an unknown payment ended is said by one person and confirmed by another. */
export function ResolveRow({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  const proposed = row.manualOutcomes.find(({ state }) => state === 'proposed') ?? null;
  const asked = useAskedAbout<Question>(evidenceOf(row));
  const may = {
    propose: allows(row.allowedActions, 'proposeManualOutcome'),
    confirm: allows(row.allowedActions, 'confirmManualOutcome'),
    reject: allows(row.allowedActions, 'rejectManualOutcome'),
  };
  const changed = <ChangedMeanwhile what="What is known of this row" asked={asked} />;
  if (proposed === null && !may.propose) return changed;
  const dialog = { at: { runId: run.runId, rowRef: row.rowRef }, row, onClose: asked.close };
  return (
    <Section title="How did it end?">
      <div className="stack">
        {changed}
        {proposed === null ? (
          <Notice tone="unknown">
            Ask the provider first. Do not pay it by other means before its outcome is known.
          </Notice>
        ) : (
          <Proposed manualOutcome={proposed} />
        )}
        <div className="row">
          {may.propose ? <Button onClick={() => asked.open('propose')}>Say how it ended …</Button> : null}
          {may.confirm ? <Button onClick={() => asked.open('confirm')}>Confirm …</Button> : null}
          {may.reject ? (
            <Button variant="default" onClick={() => asked.open('reject')}>
              Reject …
            </Button>
          ) : null}
        </div>
      </div>
      <ProposeDialog {...dialog} isOpen={asked.isOpen('propose')} />
      {proposed === null ? null : (
        <Fragment key={proposed.manualOutcomeId}>
          <ConfirmDialog {...dialog} proposed={proposed} isOpen={asked.isOpen('confirm')} />
          <RejectDialog {...dialog} proposed={proposed} isOpen={asked.isOpen('reject')} />
        </Fragment>
      )}
    </Section>
  );
}

function Proposed({ manualOutcome }: { manualOutcome: RowManualOutcome }): ReactNode {
  const { outcome, proposedBy, reason, providerPaymentId } = manualOutcome;
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
  proposed: RowManualOutcome;
}

const changesOf = ({ runId }: RowKey): string[][] => [['run', runId], ['inbox']];

function ProposeDialog({ at, row, isOpen, onClose }: DialogProps): ReactNode {
  const [outcome, setOutcome] = useState<ManualOutcomeKind | null>(null);
  const [paymentId, setPaymentId] = useState('');
  const propose = useAction((proposal: ManualOutcomeRequest) => api.proposeManualOutcome({ ...at, ...proposal }), {
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
  const confirm = useAction(() => api.confirmManualOutcome({ ...at, manualOutcomeId: proposed.manualOutcomeId }), {
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
      <Proposed manualOutcome={proposed} />
      <Consequence of={proposed.outcome} />
      <p style={{ margin: 0 }}>payrun asks the provider once more first, and refuses if it says otherwise.</p>
      <AskedFactor error={confirm.error} onShown={confirm.reset} />
    </ReasonDialog>
  );
}

function RejectDialog({ at, row, proposed, isOpen, onClose }: DecisionProps): ReactNode {
  const reject = useAction(
    (reason: string | null) => api.rejectManualOutcome({ ...at, manualOutcomeId: proposed.manualOutcomeId, reason }),
    { changes: changesOf(at), then: onClose },
  );
  return (
    <ReasonDialog
      title={`Reject what is said of ${row.rowRef}?`}
      verb="Reject"
      reason="optional"
      action={reject}
      isOpen={isOpen}
      onClose={onClose}
    >
      <InQuestion row={row} />
      <Proposed manualOutcome={proposed} />
      <p style={{ margin: 0 }}>The row stays unknown until somebody says again how it ended, and it is confirmed.</p>
    </ReasonDialog>
  );
}
