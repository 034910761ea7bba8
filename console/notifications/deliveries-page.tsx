import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DeliveryState, DeliverySummary } from '../../api/notifications/delivery.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { formatCount, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Failed } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress } from '../elements/use-address.ts';
import { OperationsFrame } from '../operations/operations-frame.tsx';
import { useEndpoints } from './use-endpoints.ts';

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
  const { state, endpoint } = useAddress().search;
  const [asked, setAsked] = useState<DeliverySummary | null>(null);
  const deliveries = useQuery({
    queryKey: ['deliveries', state, endpoint],
    queryFn: async ({ signal }) => {
      const given = { state: state as DeliveryState | undefined, endpointId: endpoint, limit: MOST };
      return (await api.listDeliveries(given, { signal })).deliveries;
    },
    refetchInterval: 15_000,
  });
  const retry = useAction((deliveryId: string) => api.retryDelivery({ deliveryId }), { changes: [['deliveries']] });
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
      cell: (delivery) => <Again of={delivery} onTry={retry.do} onAsk={setAsked} />,
    },
  ];
  return (
    <OperationsFrame>
      <Filters />
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
      {asked === null ? null : <SendAgain delivery={asked} onClose={() => setAsked(null)} />}
    </OperationsFrame>
  );
}

function Filters(): ReactNode {
  const { search, change } = useAddress();
  const { state, endpoint } = search;
  const endpoints = useEndpoints();
  return (
    <div className="filters no-print">
      <Select
        label="To"
        placeholder="all endpoints"
        clearable
        w={220}
        data={(endpoints.data ?? []).map(({ endpointId, name }) => ({ value: endpointId, label: name }))}
        value={endpoint ?? null}
        onChange={(value) => change({ endpoint: value })}
      />
      <Unread query={endpoints} what="The endpoints" />
      <Select
        label="State"
        placeholder="all"
        clearable
        data={Object.keys(TONES)}
        value={state ?? null}
        onChange={(value) => change({ state: value })}
      />
    </div>
  );
}

/** What was not delivered is tried at once; what was delivered is sent again after a question. */
function Again(props: {
  of: DeliverySummary;
  onTry: (deliveryId: string) => void;
  onAsk: (delivery: DeliverySummary) => void;
}): ReactNode {
  const { of, onTry, onAsk } = props;
  const { deliveryId, state, type } = of;
  if (state === 'failing' || state === 'failed') {
    return (
      <Button size="compact-sm" variant="default" onClick={() => onTry(deliveryId)}>
        Try now
      </Button>
    );
  }
  if (state !== 'delivered') return null;
  return (
    <Button size="compact-sm" variant="default" aria-label={`Send ${type} again`} onClick={() => onAsk(of)}>
      Send again …
    </Button>
  );
}

function SendAgain({ delivery, onClose }: { delivery: DeliverySummary; onClose: () => void }): ReactNode {
  const { deliveryId, endpointName, type } = delivery;
  const send = useAction(() => api.retryDelivery({ deliveryId }), { changes: [['deliveries']], then: onClose });
  return (
    <ReasonDialog title="Send it again?" verb="Send it again" reason="none" action={send} isOpen onClose={onClose}>
      <p style={{ margin: 0 }}>
        {endpointName} has “{type}” already, and gets it once more with the same id: a program that has dealt with that
        id leaves it out, and a mail comes twice.
      </p>
    </ReasonDialog>
  );
}
