import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { VirtualAccount } from '../../api/accounts/virtual-account.ts';
import { useMay } from '../shell/session.tsx';

/** The number of a virtual account, whole and copied as it is; or why there is none to give out. */
export function CopiedNumber({ of: { number, state, name } }: { of: VirtualAccount }): ReactNode {
  const mayRead = useMay('read_instructions');
  if (number === null) {
    if (state !== 'approved') return <span className="muted">once it is approved</span>;
    return <span className="muted">{mayRead ? 'not issued yet' : 'for those who may read bank details'}</span>;
  }
  return (
    <span className="row" style={{ gap: 6 }}>
      <code className="mono" style={{ fontSize: 13 }}>
        {number}
      </code>
      <CopyButton value={number}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" aria-label={`Copy the number of ${name}`} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </span>
  );
}
