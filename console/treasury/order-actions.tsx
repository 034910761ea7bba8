import { Button, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ActionableOrder, OrderDetail } from '../../api/treasury/order.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { SecondFactor, useFactorNeeded } from '../approvals/second-factor.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Money } from '../elements/values.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { ProviderAmounts } from './provider-amounts.tsx';

const DECISIONS = {
  approve: { call: api.approveOrder, verb: 'Approve', isMain: true, factor: 'approved' },
  release: { call: api.releaseOrder, verb: 'Release', isMain: true, factor: 'released' },
  reject: { call: api.rejectOrder, verb: 'Reject', isMain: false, factor: null },
  withdraw: { call: api.withdrawOrder, verb: 'Withdraw', isMain: false, factor: null },
} as const;
type Decision = keyof typeof DECISIONS;

const MANUAL_OUTCOMES = [
  { value: 'never_created', label: 'Never created: the provider has no conversion of it' },
  { value: 'funded', label: 'Funded: the total has left the balance' },
  { value: 'fund_again', label: 'Not funded: it is to be funded as the provider shows it' },
  { value: 'lapsed', label: 'Lapsed: it was not funded, and is not to be' },
  { value: 'settled', label: 'Settled: the bought money has come, if not exactly the quoted amount' },
] as const;
type Outcome = (typeof MANUAL_OUTCOMES)[number]['value'];

/** What the server lets one do with the order now. */
export function OrderActions({ order }: { order: ActionableOrder }): ReactNode {
  const proposed = proposedOf(order)?.manualOutcomeId;
  const amounts = JSON.stringify(order.providerAmounts);
  const asked = useAskedAbout<Decision | 'propose' | 'confirm' | 'rejectOutcome'>(
    [order.orderId, order.orderHash, proposed, amounts].join(' '),
  );
  const { allowedActions: allowed } = order;
  const decisions = (Object.keys(DECISIONS) as Decision[]).filter((verb) => allows(allowed, verb));
  const { close } = asked;
  return (
    <>
      <ChangedMeanwhile what="What is to be decided" asked={asked} />
      {decisions.map((verb) => (
        <Button key={verb} variant={DECISIONS[verb].isMain ? 'filled' : 'default'} onClick={() => asked.open(verb)}>
          {DECISIONS[verb].verb} …
        </Button>
      ))}
      {allows(allowed, 'proposeManualOutcome') ? (
        <Button onClick={() => asked.open('propose')}>Say what became of it …</Button>
      ) : null}
      {allows(allowed, 'confirmManualOutcome') ? (
        <Button onClick={() => asked.open('confirm')}>Confirm …</Button>
      ) : null}
      {allows(allowed, 'rejectManualOutcome') ? (
        <Button variant="default" onClick={() => asked.open('rejectOutcome')}>
          Reject …
        </Button>
      ) : null}
      {decisions.map((verb) => (
        <DecisionDialog key={verb} order={order} verb={verb} isOpen={asked.isOpen(verb)} onClose={close} />
      ))}
      <ProposeDialog key={`propose ${amounts}`} order={order} isOpen={asked.isOpen('propose')} onClose={close} />
      {(['confirm', 'rejectOutcome'] as const).map((verb) => (
        <ClosingDialog
          key={`${verb} ${proposed ?? ''}`}
          order={order}
          verb={verb}
          isOpen={asked.isOpen(verb)}
          onClose={close}
        />
      ))}
    </>
  );
}

interface DialogProps {
  order: OrderDetail;
  isOpen: boolean;
  onClose: () => void;
}

function proposedOf({ manualOutcomes }: OrderDetail): OrderDetail['manualOutcomes'][number] | undefined {
  return manualOutcomes.find(({ state }) => state === 'proposed');
}

const changesOf = ({ orderId }: OrderDetail): string[][] => [['order', orderId], ['orders'], ['inbox']];

function DecisionDialog({ order, verb, isOpen, onClose }: DialogProps & { verb: Decision }): ReactNode {
  const { call, verb: word, factor } = DECISIONS[verb];
  const { orderId, orderHash } = order;
  const decide = useAction((reason: string | null) => call({ orderId, orderHash, reason }), {
    changes: changesOf(order),
    then: onClose,
  });
  const { isNeeded, onShown } = useFactorNeeded(factor !== null, decide.error);
  return (
    <ReasonDialog
      title={`${word} this conversion?`}
      verb={word}
      reason="optional"
      action={decide}
      isOpen={isOpen}
      isBlocked={isNeeded}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {order.sellCurrency} to {order.buyCurrency}, at most{' '}
        <Money amount={order.approvedUpTo} currency={order.sellCurrency} />. The decision is bound to the terms{' '}
        <code className="mono">{orderHash.slice(0, 16)}</code>.
      </p>
      {isNeeded && factor !== null ? (
        <SecondFactor
          subject={{ kind: 'order', id: orderId, contentHash: orderHash, decision: factor }}
          onShown={() => {
            onShown();
            decide.reset();
          }}
        />
      ) : null}
    </ReasonDialog>
  );
}

function ProposeDialog({ order, isOpen, onClose }: DialogProps): ReactNode {
  const { orderId } = order;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const propose = useAction(
    (given: { outcome: Outcome; reason: string }) => api.proposeOrderManualOutcome({ orderId, ...given }),
    { changes: changesOf(order), then: onClose },
  );
  return (
    <ReasonDialog
      title="What became of it?"
      verb="Propose"
      reason="required"
      reasonLabel="How it is known: whom you asked, and what they said"
      action={{
        ...propose,
        do: (reason) => {
          if (outcome !== null) propose.do({ outcome, reason: reason ?? '' });
        },
      }}
      isOpen={isOpen}
      isBlocked={outcome === null}
      onClose={onClose}
    >
      <Select label="It is" required data={MANUAL_OUTCOMES} value={outcome} onChange={setOutcome} />
      {outcome === 'fund_again' ? <FundedAs order={order} /> : null}
    </ReasonDialog>
  );
}

function ClosingDialog({
  order,
  verb,
  isOpen,
  onClose,
}: DialogProps & { verb: 'confirm' | 'rejectOutcome' }): ReactNode {
  const proposed = proposedOf(order);
  const seen = { orderId: order.orderId, manualOutcomeId: proposed?.manualOutcomeId ?? '' };
  const close = useAction(
    (reason: string | null) =>
      verb === 'confirm' ? api.confirmOrderManualOutcome(seen) : api.rejectOrderManualOutcome({ ...seen, reason }),
    { changes: changesOf(order), then: onClose },
  );
  return (
    <ReasonDialog
      title={verb === 'confirm' ? 'Confirm what became of it?' : 'Reject it?'}
      verb={verb === 'confirm' ? 'Confirm' : 'Reject'}
      reason={verb === 'confirm' ? 'none' : 'optional'}
      action={close}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {proposed === undefined
          ? ''
          : `${proposed.proposedBy.name} says: ${MANUAL_OUTCOMES.find(({ value }) => value === proposed.outcome)?.label ?? proposed.outcome}. “${proposed.reason ?? ''}”`}
      </p>
      {proposed?.outcome === 'fund_again' ? <FundedAs order={order} /> : null}
      <AskedFactor error={close.error} onShown={close.reset} />
    </ReasonDialog>
  );
}

/** What leaves the balance once two people say that it is to be funded. */
function FundedAs({ order }: { order: OrderDetail }): ReactNode {
  return (
    <>
      <p style={{ margin: 0 }}>
        It is funded with the amounts that the provider shows; one that it does not show stays as it was.
      </p>
      <ProviderAmounts order={order} />
    </>
  );
}
