import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OrderDetail } from '../../api/treasury/order.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { SecondFactor, useFactorNeeded } from '../approvals/second-factor.tsx';
import { readActions } from '../approvals/read-actions.ts';
import { actOnOrder } from '../calls/treasury-calls.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Money } from '../elements/figures.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { ProviderAmounts } from './provider-amounts.tsx';

const DECISIONS = {
  approve: { verb: 'Approve', reason: 'optional', isMain: true, factor: 'approved' },
  release: { verb: 'Release', reason: 'optional', isMain: true, factor: 'released' },
  decline: { verb: 'Decline', reason: 'optional', isMain: false, factor: null },
  withdraw: { verb: 'Withdraw', reason: 'optional', isMain: false, factor: null },
} as const;
type Decision = keyof typeof DECISIONS;

const RESOLUTIONS = [
  { value: 'never_created', label: 'Never created: the provider has no conversion of it' },
  { value: 'funded', label: 'Funded: the total has left the balance' },
  { value: 'fund_again', label: 'Not funded: it is to be funded as the provider shows it' },
  { value: 'lapsed', label: 'Lapsed: it was not funded, and is not to be' },
  { value: 'settled', label: 'Settled: the bought money has come, if not exactly the quoted amount' },
];

/** What the server lets one do with the order now. */
export function OrderActions({ order }: { order: OrderDetail }): ReactNode {
  const proposed = proposedOf(order)?.resolutionId;
  const amounts = JSON.stringify(order.providerAmounts);
  const asked = useAskedAbout<Decision | 'propose' | 'confirm' | 'deny'>(
    [order.orderId, order.orderHash, proposed, amounts].join(' '),
  );
  const actions = useQuery({
    // A denied proposal is no longer open, and counts as one all the same.
    queryKey: ['actions', 'order', order.orderId, order.state, order.resolutions.length, proposed],
    queryFn: ({ signal }) => readActions('order', [order.orderId], signal),
  });
  const allowed = actions.data?.get(order.orderId);
  const decisions = (Object.keys(DECISIONS) as Decision[]).filter((verb) => allows(allowed, verb));
  const { close } = asked;
  return (
    <>
      <ChangedMeanwhile what="What is to be decided" asked={asked} />
      <Unread query={actions} what="What you may do" />
      {decisions.map((verb) => (
        <Button key={verb} variant={DECISIONS[verb].isMain ? 'filled' : 'default'} onClick={() => asked.open(verb)}>
          {DECISIONS[verb].verb} …
        </Button>
      ))}
      {allows(allowed, 'proposeResolution') ? (
        <Button onClick={() => asked.open('propose')}>Say what became of it …</Button>
      ) : null}
      {allows(allowed, 'confirmResolution') ? <Button onClick={() => asked.open('confirm')}>Confirm …</Button> : null}
      {allows(allowed, 'denyResolution') ? (
        <Button variant="default" onClick={() => asked.open('deny')}>
          Deny …
        </Button>
      ) : null}
      {decisions.map((verb) => (
        <DecisionDialog key={verb} order={order} verb={verb} isOpen={asked.isOpen(verb)} onClose={close} />
      ))}
      <ProposeDialog key={`propose ${amounts}`} order={order} isOpen={asked.isOpen('propose')} onClose={close} />
      {(['confirm', 'deny'] as const).map((verb) => (
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

function proposedOf({ resolutions }: OrderDetail): OrderDetail['resolutions'][number] | undefined {
  return resolutions.find(({ state }) => state === 'proposed');
}

const changesOf = ({ orderId }: OrderDetail): string[][] => [['order', orderId], ['orders'], ['inbox'], ['actions']];

function DecisionDialog({ order, verb, isOpen, onClose }: DialogProps & { verb: Decision }): ReactNode {
  const { reason, verb: word, factor } = DECISIONS[verb];
  const { orderId, orderHash } = order;
  const decide = useAction((given: string | null) => actOnOrder(orderId, verb, { orderHash, reason: given }), {
    changes: changesOf(order),
    then: onClose,
  });
  const { isNeeded, onShown } = useFactorNeeded(factor !== null, decide.error);
  return (
    <ReasonDialog
      title={`${word} this conversion?`}
      verb={word}
      reason={reason}
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
  const [outcome, setOutcome] = useState<string | null>(null);
  const propose = useAction((reason: string | null) => actOnOrder(order.orderId, 'resolution', { outcome, reason }), {
    changes: changesOf(order),
    then: onClose,
  });
  return (
    <ReasonDialog
      title="What became of it?"
      verb="Propose"
      reason="required"
      reasonLabel="How it is known: whom you asked, and what they said"
      action={propose}
      isOpen={isOpen}
      isBlocked={outcome === null}
      onClose={onClose}
    >
      <Select label="It is" required data={RESOLUTIONS} value={outcome} onChange={setOutcome} />
      {outcome === 'fund_again' ? <FundedAs order={order} /> : null}
    </ReasonDialog>
  );
}

function ClosingDialog({ order, verb, isOpen, onClose }: DialogProps & { verb: 'confirm' | 'deny' }): ReactNode {
  const proposed = proposedOf(order);
  const body = { resolutionId: proposed?.resolutionId };
  const close = useAction(
    (reason: string | null) =>
      actOnOrder(order.orderId, `resolution/${verb}`, verb === 'confirm' ? body : { ...body, reason }),
    { changes: changesOf(order), then: onClose },
  );
  return (
    <ReasonDialog
      title={verb === 'confirm' ? 'Confirm what became of it?' : 'Deny it?'}
      verb={verb === 'confirm' ? 'Confirm' : 'Deny'}
      reason={verb === 'confirm' ? 'none' : 'optional'}
      action={close}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {proposed === undefined
          ? ''
          : `${proposed.proposedBy.name} says: ${RESOLUTIONS.find(({ value }) => value === proposed.outcome)?.label ?? proposed.outcome}. “${proposed.reason ?? ''}”`}
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
