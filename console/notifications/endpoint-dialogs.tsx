import type { ReactNode } from 'react';
import type { EndpointSummary, RotatedSecret } from '../../api/notifications/endpoint.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { counted } from '../elements/formats.ts';
import { Facts } from '../elements/page.tsx';
import { type Action, useAction } from '../elements/use-action.tsx';

export type EndpointQuestion = 'rotate' | 'remove';

/** What the dialogs are about: where notifications go. Undefined: the endpoint is gone. */
export function aboutOf(endpoint: EndpointSummary | undefined): string {
  return endpoint === undefined
    ? ''
    : JSON.stringify([endpoint.name, endpoint.url, endpoint.addresses, endpoint.types, endpoint.state]);
}

interface DialogProps {
  endpoint: EndpointSummary;
  onClose: () => void;
}

/** The new secret is shown by the page, after the dialog. */
export function RotateDialog(props: DialogProps & { rotate: Action<string, RotatedSecret> }): ReactNode {
  const { endpoint, rotate, onClose } = props;
  return (
    <ReasonDialog
      title="Rotate the secret of this endpoint?"
      verb={`Rotate the secret of ${endpoint.name}`}
      reason="none"
      isDangerous
      action={{ ...rotate, do: () => rotate.do(endpoint.endpointId) }}
      isOpen
      onClose={onClose}
    >
      <Where endpoint={endpoint} />
      <p style={{ margin: 0 }}>
        The new secret is shown once: give it to the receiver within 24 hours. Until then notifications are signed with
        the present one as well, after that with the new one alone. A secret from before the present one stops counting
        at once.
      </p>
    </ReasonDialog>
  );
}

export function RemoveDialog({ endpoint, onClose }: DialogProps): ReactNode {
  const { endpointId, name, undelivered } = endpoint;
  const remove = useAction(() => api.removeEndpoint({ endpointId }), {
    changes: [['endpoints'], ['deliveries'], ['changes']],
    then: onClose,
  });
  return (
    <ReasonDialog
      title="Remove this endpoint?"
      verb={`Remove ${name}`}
      reason="none"
      isDangerous
      action={remove}
      isOpen
      onClose={onClose}
    >
      <Where endpoint={endpoint} />
      <p style={{ margin: 0 }}>
        A second administrator confirms it, if it was ever enabled. Then nothing is sent there any more. Its address and
        its secret are erased, and{' '}
        {undelivered === 0
          ? 'what is not delivered by then is dropped'
          : `${counted(undelivered, 'delivery', 'deliveries')} that wait are dropped`}
        . It cannot be taken back: a new endpoint takes a second administrator.
      </p>
    </ReasonDialog>
  );
}

function Where({ endpoint: { name, url, addresses, types } }: { endpoint: EndpointSummary }): ReactNode {
  return (
    <Facts
      of={[
        ['Endpoint', name],
        ['Where it goes', url ?? addresses?.join(', ')],
        ['Types', types?.join(', ') ?? 'all'],
      ]}
    />
  );
}
