import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type {
  ActionableVirtualAccount,
  VirtualAccount,
  VirtualAccountProposal,
} from '../../api/accounts/virtual-account.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { useSession } from '../shell/session.tsx';
import { OUTCOMES } from './virtual-states.tsx';

type Outcome = keyof typeof OUTCOMES;
type Question = 'propose' | 'confirm' | 'reject';

/** Two people say what became of a request that the provider does not let payrun read, or did not answer. */
export function VirtualAccountActions({ account }: { account: ActionableVirtualAccount }): ReactNode {
  const { user } = useSession();
  const { allowedActions } = account;
  const open = account.manualOutcomes.find(({ state }) => state === 'proposed');
  const isMine = open?.proposedBy.userId === user.userId;
  const asked = useAskedAbout<Question>([account.virtualAccountId, account.state, open?.manualOutcomeId].join(' '));
  const { question, close } = asked;
  return (
    <>
      <ChangedMeanwhile what="What is said of this account" asked={asked} />
      {allows(allowedActions, 'proposeManualOutcome') ? (
        <Button variant="default" onClick={() => asked.open('propose')}>
          Say what became of it …
        </Button>
      ) : null}
      {allows(allowedActions, 'confirmManualOutcome') ? (
        <Button onClick={() => asked.open('confirm')}>Confirm …</Button>
      ) : null}
      {allows(allowedActions, 'rejectManualOutcome') ? (
        <Button variant="default" onClick={() => asked.open('reject')}>
          {isMine ? 'Take back …' : 'Reject …'}
        </Button>
      ) : null}
      {question === 'propose' ? <ProposeDialog account={account} onClose={close} /> : null}
      {open === undefined || question === null || question === 'propose' ? null : (
        <CloseDialog account={account} proposed={open} verb={question} onClose={close} />
      )}
    </>
  );
}

function changesOf({ virtualAccountId }: VirtualAccount): string[][] {
  return [['virtual-account', virtualAccountId], ['virtual-accounts'], ['inbox']];
}

function ProposeDialog({ account, onClose }: { account: VirtualAccount; onClose: () => void }): ReactNode {
  const { virtualAccountId } = account;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [number, setNumber] = useState('');
  const [requestId, setRequestId] = useState('');
  const propose = useAction(
    (body: VirtualAccountProposal) => api.proposeVirtualAccountManualOutcome({ virtualAccountId, ...body }),
    {
      changes: changesOf(account),
      then: onClose,
    },
  );
  // The provider has a pending request, so it was created.
  const outcomes = Object.entries(OUTCOMES).filter(
    ([value]) => account.state === 'unknown' || (value !== 'pending' && value !== 'never_created'),
  );
  const isBlocked = outcome === null || (outcome === 'approved' && number.trim() === '');
  return (
    <ReasonDialog
      title={`What became of “${account.name}”?`}
      verb="Propose"
      reason="required"
      reasonLabel="How it is known: where you saw it, or whom you asked"
      action={{
        ...propose,
        do: (reason) =>
          propose.do({
            outcome: outcome ?? 'cancelled',
            number: outcome === 'approved' ? number.trim() : null,
            requestId: requestId.trim() === '' ? null : requestId.trim(),
            reason: reason ?? '',
          }),
      }}
      isOpen
      isBlocked={isBlocked}
      onClose={onClose}
    >
      <Select
        label="It is"
        required
        data={outcomes.map(([value, label]) => ({ value, label }))}
        value={outcome}
        onChange={(value) => setOutcome(value as Outcome | null)}
      />
      {outcome === 'approved' ? (
        <TextInput
          label="Number, as the provider shows it"
          required
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      ) : null}
      {account.requestId === null ? (
        <TextInput
          label="Provider's id of the request, if it is known"
          value={requestId}
          onChange={(event) => setRequestId(event.currentTarget.value)}
        />
      ) : null}
      <p className="muted small" style={{ margin: 0 }}>
        Another person confirms it. The name at the provider is <code className="mono">{account.sentName}</code>.
      </p>
    </ReasonDialog>
  );
}

function CloseDialog(props: {
  account: VirtualAccount;
  proposed: VirtualAccount['manualOutcomes'][number];
  verb: 'confirm' | 'reject';
  onClose: () => void;
}): ReactNode {
  const { account, proposed, verb, onClose } = props;
  const { virtualAccountId } = account;
  const { manualOutcomeId, outcome, number, requestId, reason: said, proposedBy } = proposed;
  const isConfirmed = verb === 'confirm';
  const close = useAction(
    (reason: string | null) =>
      isConfirmed
        ? api.confirmVirtualAccountManualOutcome({ virtualAccountId, manualOutcomeId })
        : api.rejectVirtualAccountManualOutcome({ virtualAccountId, manualOutcomeId, reason }),
    { changes: changesOf(account), then: onClose },
  );
  return (
    <ReasonDialog
      title={isConfirmed ? 'Confirm this outcome?' : 'Reject this outcome?'}
      verb={isConfirmed ? 'Confirm' : 'Reject'}
      reason={isConfirmed ? 'none' : 'optional'}
      action={close}
      isOpen
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {proposedBy.name} says: {OUTCOMES[outcome]}. {said === null ? '' : `“${said}”`}
      </p>
      {outcome === 'approved' ? (
        <p style={{ margin: 0 }}>
          Number <code className="mono">{number ?? 'not shown to you'}</code>: compare it with what the provider shows.
        </p>
      ) : null}
      {requestId === null ? null : (
        <p style={{ margin: 0 }}>
          Provider&apos;s id of the request <code className="mono">{requestId}</code>
        </p>
      )}
      <AskedFactor error={close.error} onShown={close.reset} />
    </ReasonDialog>
  );
}
