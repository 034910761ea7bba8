import { Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Receipt } from '../../api/accounts/receipt.ts';
import type { Refund } from '../../api/accounts/refund.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Money, When } from '../elements/values.tsx';
import { Failed } from '../elements/page.tsx';
import { compareAmounts } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';

const OTHER = '';

/** Says what a receipt is: the money of a refund of its amount, or something that payrun does not know. */
export function AssignDialog({ receipt, onClose }: { receipt: Receipt; onClose: () => void }): ReactNode {
  const { account, currency, entryId, amount, datedAt } = receipt;
  const [refundId, setRefundId] = useState(OTHER);
  const refunds = useQuery({
    queryKey: ['refunds', account, currency, 'expected'],
    queryFn: ({ signal }) => api.listRefunds({ account, currency, state: 'expected', limit: 1000 }, { signal }),
  });
  const fitting = (refunds.data?.refunds ?? []).filter((refund) => compareAmounts(refund.amount, amount) === 0);
  const assign = useAction(
    (reason: string | null) =>
      api.assignReceipt({
        ...{ account, currency, entryId, reason: reason ?? '' },
        refundId: refundId === OTHER ? null : refundId,
      }),
    {
      changes: [['receipts'], ['refunds'], ['deposits'], ['fundings'], ['inbox'], ['runs'], ['run']],
      then: onClose,
    },
  );
  return (
    <ReasonDialog
      title="What is this money?"
      verb="Say so"
      reason="required"
      reasonLabel="How it is known: whom you asked, and what they said"
      suggestions={refundId === OTHER ? ['Interest', 'Top-up of our own', 'Sent by a customer'] : []}
      action={assign}
      isOpen
      isBlocked={refunds.isPending}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        <Money amount={amount} currency={currency} /> on {account}, dated <When at={datedAt} isExact />
      </p>
      {refunds.isError ? <Failed error={refunds.error} onRetry={() => void refunds.refetch()} /> : null}
      <Radio.Group label="It is" value={refundId} onChange={setRefundId}>
        <div className="stack" style={{ gap: 8, marginTop: 8 }}>
          <Radio value={OTHER} label="something that payrun does not know" />
          {fitting.map((refund) => (
            <Radio
              key={refund.refundId}
              value={refund.refundId}
              label={`the money of refund ${refund.refundId}${rowOf(refund)}`}
              description="If all of it came back, the payment is returned."
            />
          ))}
        </div>
      </Radio.Group>
      <p className="muted small" style={{ margin: 0 }}>
        {fitting.length === 0 ? 'No expected refund has exactly this amount. ' : ''}What you say stays recorded with
        your name.{' '}
        {refundId === OTHER ? 'It can be changed later.' : 'An assignment to a refund cannot be changed later.'}
      </p>
    </ReasonDialog>
  );
}

function rowOf({ rowRef, resource, resourceId }: Refund): string {
  if (rowRef !== null) return ` of row ${rowRef}`;
  return resourceId === null ? '' : ` of ${resource ?? 'payment'} ${resourceId}`;
}
