import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ActionableCase } from '../../api/onboarding/case-detail.ts';
import type { CaseManualOutcomeRequest } from '../../api/onboarding/case-manual-outcome.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { Dialog, ReasonDialog } from '../elements/dialog.tsx';
import { Facts, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { ApplicantFiles, ApplicantsRefused, formOfFiles, type GivenFiles } from './applicant-form.tsx';

type Question =
  | 'supply'
  | 'withdraw'
  | 'retry'
  | 'erase'
  | 'proposeManualOutcome'
  | 'confirmManualOutcome'
  | 'rejectManualOutcome';

const BUTTONS: Readonly<Record<Question, string>> = {
  supply: 'Give what is missing …',
  retry: 'Try the sign-up again …',
  proposeManualOutcome: 'Say what became of it …',
  confirmManualOutcome: 'Confirm …',
  rejectManualOutcome: 'Reject …',
  withdraw: 'Withdraw …',
  erase: 'Erase …',
};

/** What the server lets one do with the case now. */
export function CaseActions({ of }: { of: ActionableCase }): ReactNode {
  // The form for what is missing stays open: what was chosen there is not lost, and it says what has changed itself.
  const [isSupplying, setSupplying] = useState(false);
  const asked = useAskedAbout<Exclude<Question, 'supply'>>(
    [of.caseId, of.revision, proposedOf(of)?.manualOutcomeId].join(' '),
  );
  const { question, close } = asked;
  const allowed = (Object.keys(BUTTONS) as Question[]).filter((action) => allows(of.allowedActions, action));
  return (
    <>
      <ChangedMeanwhile what="The case" asked={asked} />
      {allowed.map((action) => (
        <Button
          key={action}
          variant={action === 'supply' ? 'filled' : 'default'}
          onClick={() => (action === 'supply' ? setSupplying(true) : asked.open(action))}
        >
          {BUTTONS[action]}
        </Button>
      ))}
      {isSupplying ? <SupplyDialog of={of} onClose={() => setSupplying(false)} /> : null}
      {question === 'proposeManualOutcome' ? <ProposeDialog of={of} onClose={close} /> : null}
      {question === null || question === 'proposeManualOutcome' ? null : (
        <PlainDialog of={of} action={question} onClose={close} />
      )}
    </>
  );
}

function proposedOf({ manualOutcomes }: ActionableCase): ActionableCase['manualOutcomes'][number] | undefined {
  return manualOutcomes.find(({ state }) => state === 'proposed');
}

const changesOf = ({ caseId }: ActionableCase): string[][] => [['case', caseId], ['cases'], ['inbox']];

function SupplyDialog({ of, onClose }: { of: ActionableCase; onClose: () => void }): ReactNode {
  const [given, setGiven] = useState<GivenFiles>({ file: null, documents: [] });
  // What is given belongs to what was asked for when the form was opened: the server refuses it for a later revision.
  const [seenRevision] = useState(of.revision);
  const supply = useAction(
    () => {
      const form = formOfFiles(given);
      form.set('revision', String(seenRevision));
      return api.supplyCase({ caseId: of.caseId, form });
    },
    { changes: changesOf(of), then: onClose },
  );
  return (
    <Dialog title={`Give what is missing of ${of.applicantRef}`} isOpen onClose={onClose}>
      <span>Only what is new: a value that is given replaces the one before, and so does a document.</span>
      <ApplicantFiles given={given} onChange={setGiven} />
      {of.revision === seenRevision ? null : (
        <Notice tone="failed" title="Something was given since you opened this form">
          Go back, and read what is missing now.
        </Notice>
      )}
      <ApplicantsRefused error={supply.error} />
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button disabled={given.file === null} loading={supply.isRunning} onClick={() => supply.do(undefined)}>
          Send it
        </Button>
      </div>
    </Dialog>
  );
}

const OUTCOMES = [
  { value: 'signed_up', label: 'The provider has signed them up' },
  { value: 'never_created', label: 'The provider has no such user' },
] as const;
type Outcome = (typeof OUTCOMES)[number]['value'];

function ProposeDialog({ of, onClose }: { of: ActionableCase; onClose: () => void }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [userId, setUserId] = useState('');
  const isSignedUp = outcome === 'signed_up';
  const propose = useAction(
    (proposal: CaseManualOutcomeRequest) => api.proposeCaseManualOutcome({ caseId: of.caseId, ...proposal }),
    { changes: changesOf(of), then: onClose },
  );
  return (
    <ReasonDialog
      title={`What became of ${of.applicantRef}?`}
      verb="Propose"
      reason="required"
      reasonLabel="How it is known: whom you asked, and what they said"
      action={{
        ...propose,
        do: (given) => {
          const reason = given ?? '';
          if (outcome === 'signed_up') propose.do({ outcome, userId: userId.trim(), reason });
          if (outcome === 'never_created') propose.do({ outcome, reason });
        },
      }}
      isOpen
      isBlocked={outcome === null || (isSignedUp && userId.trim() === '')}
      onClose={onClose}
    >
      <Select label="Outcome" required data={OUTCOMES} value={outcome} onChange={setOutcome} />
      {isSignedUp ? (
        <TextInput
          label="The provider's id of the user"
          required
          value={userId}
          onChange={(event) => setUserId(event.currentTarget.value)}
        />
      ) : null}
    </ReasonDialog>
  );
}

type Plain = Exclude<Question, 'supply' | 'proposeManualOutcome'>;

const PLAIN: Readonly<
  Record<Plain, { verb: string; reason: 'optional' | 'none'; says: string; isDangerous?: boolean }>
> = {
  withdraw: {
    verb: 'Withdraw',
    reason: 'optional',
    says: 'The case ends. A user that the provider has already stays there.',
  },
  retry: {
    verb: 'Try again',
    reason: 'none',
    says: 'The sign-up is sent again: only if the applicant was not the reason for the refusal.',
  },
  erase: {
    verb: 'Propose to erase',
    reason: 'none',
    says: 'A second administrator confirms it. Then the personal data is destroyed, also in every backup. This cannot be undone.',
    isDangerous: true,
  },
  confirmManualOutcome: {
    verb: 'Confirm',
    reason: 'none',
    says: 'payrun reads the user once more first, and refuses if the provider shows somebody else.',
  },
  rejectManualOutcome: {
    verb: 'Reject',
    reason: 'optional',
    says: 'The proposal is closed. Another one can be made.',
  },
};

function PlainDialog(props: { of: ActionableCase; action: Plain; onClose: () => void }): ReactNode {
  const { of, action, onClose } = props;
  const { verb, reason: asked, says, isDangerous = false } = PLAIN[action];
  const proposed = proposedOf(of);
  const { caseId } = of;
  const manualOutcomeId = proposed?.manualOutcomeId ?? '';
  const act = useAction<string | null, unknown>(
    (reason) => {
      switch (action) {
        case 'withdraw':
          return api.withdrawCase({ caseId, reason });
        case 'retry':
          return api.retryCase({ caseId });
        case 'erase':
          return api.eraseCase({ caseId });
        case 'confirmManualOutcome':
          return api.confirmCaseManualOutcome({ caseId, manualOutcomeId });
        case 'rejectManualOutcome':
          return api.rejectCaseManualOutcome({ caseId, manualOutcomeId, reason });
      }
    },
    { changes: changesOf(of), then: onClose },
  );
  return (
    <ReasonDialog
      title={`${verb}: ${of.applicantRef}?`}
      verb={verb}
      reason={asked}
      isDangerous={isDangerous}
      action={act}
      isOpen
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>{says}</p>
      {action.endsWith('ManualOutcome') && proposed !== undefined ? <Said of={of} proposed={proposed} /> : null}
      <AskedFactor error={act.error} onShown={act.reset} />
    </ReasonDialog>
  );
}

/** What one person says became of the sign-up: the user whom a confirmation makes the applicant's. */
function Said({ of, proposed }: { of: ActionableCase; proposed: ActionableCase['manualOutcomes'][number] }): ReactNode {
  const { outcome, userId, reason, proposedBy } = proposed;
  return (
    <Facts
      of={[
        ['Applicant', of.applicantRef],
        ['Outcome', OUTCOMES.find(({ value }) => value === outcome)?.label ?? outcome],
        outcome === 'signed_up'
          ? [
              "The provider's id of the user",
              <code key="u" className="mono">
                {userId}
              </code>,
            ]
          : null,
        ['Said by', proposedBy.name],
        ['Known from', reason ?? 'the reason was erased'],
      ]}
    />
  );
}
