import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { EndpointSummary } from '../../api/notifications/endpoint.ts';
import { actOnEndpoint, listEndpoints, removeEndpoint, rotateSecret } from '../calls/operation-calls.ts';
import { When } from '../elements/figures.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Failed } from '../elements/page.tsx';
import { SecretNotice } from '../elements/secret-notice.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { OperationsFrame } from '../operations/operations-frame.tsx';
import { AddEndpoint } from './add-endpoint.tsx';

const TONES: Readonly<Record<EndpointSummary['state'], Tone>> = {
  pending: 'waiting',
  rejected: 'failed',
  enabled: 'paid',
  disabled: 'neutral',
};

const CHANGES = [['endpoints'], ['deliveries']];

/** Where notifications go. A new one takes effect when a second administrator confirms it. */
export function EndpointsPage(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const endpoints = useQuery({ queryKey: ['endpoints'], queryFn: ({ signal }) => listEndpoints(signal) });
  const act = useAction(
    ({ endpointId, verb }: Act) => (verb === 'remove' ? removeEndpoint(endpointId) : actOnEndpoint(endpointId, verb)),
    { changes: CHANGES },
  );
  const rotate = useAction(rotateSecret, { changes: CHANGES });
  const columns: readonly Column<EndpointSummary>[] = [
    {
      name: 'Endpoint',
      cell: ({ name, url, addresses }) => (
        <>
          <strong>{name}</strong>
          <div className="muted small">{url ?? addresses?.join(', ')}</div>
        </>
      ),
    },
    {
      name: 'State',
      cell: ({ state, stateReason }) => (
        <Mark tone={TONES[state]}>
          {state}
          {stateReason === null ? '' : `, ${inWords(stateReason)}`}
        </Mark>
      ),
    },
    { name: 'Types', isWideOnly: true, cell: ({ types }) => types?.join(', ') ?? 'all' },
    { name: 'Not delivered', align: 'right', cell: ({ undelivered }) => undelivered },
    { name: 'Failing since', align: 'right', isWideOnly: true, cell: ({ failingSince }) => <When at={failingSince} /> },
    {
      name: '',
      align: 'right',
      cell: (endpoint) => <EndpointMenu endpoint={endpoint} onAct={act.do} onRotate={rotate.do} />,
    },
  ];
  const error = act.error ?? rotate.error;
  return (
    <OperationsFrame>
      <div>
        <Button onClick={() => setAdding(true)}>Add an endpoint …</Button>
      </div>
      {error === null ? null : <Failed error={error} />}
      {rotate.answer === undefined ? null : <SecretNotice title="The new secret" secret={rotate.answer.secret} />}
      <Loaded query={endpoints}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="No endpoints yet">
              <p>
                Add a webhook or mail addresses to notify other programs and people, for example when a run needs an
                approval or has ended.
              </p>
            </Blank>
          ) : (
            <Table label="Endpoints" rows={list} columns={columns} keyOf={({ endpointId }) => endpointId} />
          )
        }
      </Loaded>
      {isAdding ? <AddEndpoint onClose={() => setAdding(false)} /> : null}
    </OperationsFrame>
  );
}

interface Act {
  endpointId: string;
  verb: 'disable' | 'enable' | 'test' | 'remove';
}

function EndpointMenu(props: {
  endpoint: EndpointSummary;
  onAct: (act: Act) => void;
  onRotate: (endpointId: string) => void;
}): ReactNode {
  const { endpoint, onAct, onRotate } = props;
  const { endpointId, kind, state, name } = endpoint;
  const act = (verb: Act['verb']) => () => onAct({ endpointId, verb });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" aria-label={`What to do with ${name}`}>
          <IconDots size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {state === 'enabled' ? <Menu.Item onClick={act('test')}>Send a test</Menu.Item> : null}
        {state === 'enabled' ? <Menu.Item onClick={act('disable')}>Disable</Menu.Item> : null}
        {state === 'disabled' ? <Menu.Item onClick={act('enable')}>Enable</Menu.Item> : null}
        {kind === 'webhook' ? <Menu.Item onClick={() => onRotate(endpointId)}>Rotate the secret</Menu.Item> : null}
        <Menu.Item color="red" onClick={act('remove')}>
          Remove, and drop what is not delivered
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
