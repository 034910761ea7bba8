import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ChangeState } from '../../api/approvals/change.ts';
import type { EndpointSummary, RotatedSecret } from '../../api/notifications/endpoint.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Failed, Notice } from '../elements/page.tsx';
import { SecretNotice } from '../elements/secret-notice.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';
import { OperationsFrame } from '../operations/operations-frame.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { aboutOf, type EndpointQuestion, RemoveDialog, RotateDialog } from './endpoint-dialogs.tsx';
import { useEndpoints } from './use-endpoints.ts';

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
  const endpoints = useEndpoints();
  const act = useAction(actOn, { changes: CHANGES });
  const { asked, open, close, hasChanged } = useAskedRow<EndpointSummary, EndpointQuestion>(({ endpointId }) =>
    aboutOf(endpoints.data?.find((each) => each.endpointId === endpointId)),
  );
  const rotate = useAction(rotateSecret, { changes: CHANGES, then: close });
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
      cell: (endpoint) => (
        <EndpointMenu endpoint={endpoint} onAct={act.do} onAsk={(question) => open(question, endpoint)} />
      ),
    },
  ];
  return (
    <OperationsFrame>
      <div>
        <Button onClick={() => setAdding(true)}>Add an endpoint …</Button>
      </div>
      {act.error === null ? null : <Failed error={act.error} />}
      <Waits change={act.answer} />
      <ChangedMeanwhile what="The endpoint" asked={{ hasChanged, close }} />
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
      {asked?.question === 'rotate' ? <RotateDialog endpoint={asked.row} rotate={rotate} onClose={close} /> : null}
      {asked?.question === 'remove' ? <RemoveDialog endpoint={asked.row} onClose={close} /> : null}
    </OperationsFrame>
  );
}

function rotateSecret(endpointId: string): Promise<RotatedSecret> {
  return api.rotateEndpointSecret({ endpointId });
}

/** The change that it became; null: it was done at once. */
async function actOn({ endpointId, call }: Act): Promise<ChangeState | null> {
  const answer = await api[call]({ endpointId });
  return 'change' in answer ? answer.change : null;
}

interface Act {
  endpointId: string;
  call: 'disableEndpoint' | 'enableEndpoint' | 'testEndpoint';
}

function EndpointMenu(props: {
  endpoint: EndpointSummary;
  onAct: (act: Act) => void;
  onAsk: (question: EndpointQuestion) => void;
}): ReactNode {
  const { endpoint, onAct, onAsk } = props;
  const { endpointId, kind, state, name } = endpoint;
  const act = (call: Act['call']) => () => onAct({ endpointId, call });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" aria-label={`What to do with ${name}`}>
          <IconDots size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {state === 'enabled' ? <Menu.Item onClick={act('testEndpoint')}>Send a test</Menu.Item> : null}
        {state === 'enabled' ? <Menu.Item onClick={act('disableEndpoint')}>Disable</Menu.Item> : null}
        {state === 'disabled' ? <Menu.Item onClick={act('enableEndpoint')}>Enable</Menu.Item> : null}
        {kind === 'webhook' ? <Menu.Item onClick={() => onAsk('rotate')}>Rotate the secret …</Menu.Item> : null}
        <Menu.Item color="red" onClick={() => onAsk('remove')}>
          Remove …
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Waits({ change }: { change: ChangeState | null | undefined }): ReactNode {
  if (change?.state !== 'pending') return null;
  return <Notice tone="waiting">A second administrator confirms it first, under Changes.</Notice>;
}
