import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Blank } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { OperationsFrame } from '../operations/operations-frame.tsx';
import { useMay, useSession } from '../shell/session.tsx';
import { StopNotice } from './stop-notice.tsx';

const CHANGES = [['stops'], ['inbox'], ['run'], ['runs']];

/** What is stopped now, and the stop of an account or of everything. */
export function StopsPage(): ReactNode {
  const mayStop = useMay('stop_payments');
  const [isAsked, setAsked] = useState(false);
  const stops = useQuery({
    queryKey: ['stops'],
    queryFn: ({ signal }) => api.listStops({}, { signal }),
    refetchInterval: 10_000,
  });
  return (
    <OperationsFrame>
      <Loaded query={stops} lines={3}>
        {({ stops: list }) =>
          list.length === 0 ? (
            <Blank title="Nothing is stopped">
              <p>A run is stopped on its own page. Here all payments of an account, or of all accounts, are stopped.</p>
            </Blank>
          ) : (
            list.map((stop) => <StopNotice key={stop.stopId} stop={stop} changes={CHANGES} />)
          )
        }
      </Loaded>
      {mayStop ? (
        <div>
          <Button color="red" onClick={() => setAsked(true)}>
            Stop payments …
          </Button>
        </div>
      ) : null}
      {isAsked ? <StopDialog onClose={() => setAsked(false)} /> : null}
    </OperationsFrame>
  );
}

function StopDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { accounts } = useSession();
  const [account, setAccount] = useState(accounts?.[0] ?? '');
  const named = account.trim();
  const stop = useAction(
    (reason: string | null) =>
      api.stopPayments(named === '' ? { scope: 'all', reason } : { scope: 'account', account: named, reason }),
    { changes: CHANGES, then: onClose },
  );
  return (
    <ReasonDialog
      title="Stop payments?"
      verb={named === '' ? 'Stop everything' : `Stop ${named}`}
      reason="optional"
      isDangerous
      action={stop}
      isOpen
      onClose={onClose}
    >
      <TextInput
        label="Account"
        description="Empty: all accounts."
        value={account}
        onChange={(event) => setAccount(event.currentTarget.value)}
      />
      <p style={{ margin: 0 }}>
        Nothing more is sent from now on; what was sent before is still confirmed. Two people lift a stop.
      </p>
    </ReasonDialog>
  );
}
