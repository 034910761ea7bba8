import { Button, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import type { EndpointRequest } from '../../api/notifications/endpoint.ts';
import { api } from '../calls/api.ts';
import { Dialog } from '../elements/dialog.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { SecretNotice } from '../elements/secret-notice.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';

export function AddEndpoint({ onClose }: { onClose: () => void }): ReactNode {
  const add = useAction((request: EndpointRequest) => api.addEndpoint(request), {
    changes: [['endpoints'], ['changes'], ['inbox']],
  });
  return (
    <Dialog title="Add an endpoint" isOpen onClose={onClose}>
      {add.answer === undefined ? (
        <Form isRunning={add.isRunning} error={add.error} onAdd={add.do} />
      ) : (
        <>
          {add.answer.secret === null ? null : (
            <SecretNotice title="The secret of its signatures" secret={add.answer.secret} />
          )}
          <Notice tone="waiting">Nothing is sent to it before a second administrator confirms it.</Notice>
          <div>
            <Button onClick={onClose}>Done</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Form(props: { isRunning: boolean; error: unknown; onAdd: (request: EndpointRequest) => void }): ReactNode {
  const { isRunning, error, onAdd } = props;
  const [kind, setKind] = useState('webhook');
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const [types, setTypes] = useState<string[]>([]);
  const known = useQuery({
    queryKey: ['types'],
    queryFn: ({ signal }) => api.listNotificationTypes({}, { signal }),
    staleTime: Infinity,
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const chosen = types.length === 0 ? null : (types as NonNullable<EndpointRequest['types']>);
    if (kind === 'webhook') onAdd({ kind: 'webhook', name, url: target.trim(), types: chosen });
    else onAdd({ kind: 'mail', name, addresses: target.split(/[\s,;]+/).filter((each) => each !== ''), types: chosen });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <SegmentedControl
        aria-label="Kind"
        data={[
          { value: 'webhook', label: 'Webhook' },
          { value: 'mail', label: 'Mail' },
        ]}
        value={kind}
        onChange={setKind}
      />
      <TextInput label="Name" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <TextInput
        label={kind === 'webhook' ? 'Address, https://…' : 'Mail addresses, with commas'}
        required
        value={target}
        onChange={(event) => setTarget(event.currentTarget.value)}
      />
      <MultiSelect
        label="Only these types"
        description="None: all, also those of later versions."
        searchable
        data={(known.data?.types ?? []).map(({ type, when }) => ({ value: type, label: `${type}: when ${when}` }))}
        value={types}
        onChange={setTypes}
      />
      <Unread query={known} what="The types" />
      {error === null ? null : <Failed error={error} />}
      <div>
        <Button type="submit" loading={isRunning} disabled={name === '' || target.trim() === ''}>
          Add it
        </Button>
      </div>
    </form>
  );
}
