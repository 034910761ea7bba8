import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryState, DeliverySummary } from '../../api/notifications/delivery.ts';
import { listDeliveries, retryDelivery } from '../calls/operation-calls.ts';
import { When } from '../elements/figures.tsx';
import { formatCount, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Failed } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress } from '../elements/use-address.ts';
import { OperationsFrame } from '../operations/operations-frame.tsx';

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  queued: 'neutral',
  delivering: 'neutral',
  delivered: 'paid',
  failing: 'waiting',
  failed: 'failed',
  disabled: 'neutral',
};

/** The most that the server gives at once. */
const MOST = 500;

/** Which notifications were sent to whom, and what became of them. */
export function DeliveriesPage(): ReactNode {
  const { search, change } = useAddress();
  const { state } = search;
  const deliveries = useQuery({
    queryKey: ['deliveries', state],
    queryFn: ({ signal }) => listDeliveries({ state, limit: MOST }, signal),
    refetchInterval: 15_000,
  });
  const retry = useAction(retryDelivery, { changes: [['deliveries']] });
  const columns: readonly Column<DeliverySummary>[] = [
    { name: 'Type', cell: ({ type }) => <strong>{type}</strong> },
    { name: 'State', cell: (each) => <Mark tone={TONES[each.state]}>{inWords(each.state)}</Mark> },
    { name: 'To', cell: ({ endpointName }) => endpointName },
    { name: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
    {
      name: 'Last answer',
      cell: ({ httpStatus, error }) =>
        [httpStatus, error === null ? null : inWords(error)].filter((part) => part !== null).join(', ') || '–',
    },
    { name: 'Created', align: 'right', cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      name: 'Next attempt',
      align: 'right',
      isWideOnly: true,
      cell: ({ nextAttemptAt }) => <When at={nextAttemptAt} />,
    },
    {
      name: '',
      align: 'right',
      cell: ({ deliveryId, state: now }) =>
        now === 'failing' || now === 'failed' ? (
          <Button size="compact-sm" variant="default" onClick={() => retry.do(deliveryId)}>
            Try now
          </Button>
        ) : null,
    },
  ];
  return (
    <OperationsFrame>
      <div className="filters">
        <Select
          label="State"
          placeholder="all"
          clearable
          data={Object.keys(TONES)}
          value={state ?? null}
          onChange={(value) => change({ state: value })}
        />
      </div>
      {retry.error === null ? null : <Failed error={retry.error} />}
      <Loaded query={deliveries}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="No deliveries">
              <p>Deliveries appear once an endpoint is confirmed and something happens.</p>
            </Blank>
          ) : (
            <>
              <Table label="Deliveries" rows={list} columns={columns} keyOf={({ deliveryId }) => deliveryId} />
              {list.length < MOST ? null : <p className="muted small">The newest {formatCount(MOST)} are shown.</p>}
            </>
          )
        }
      </Loaded>
    </OperationsFrame>
  );
}
