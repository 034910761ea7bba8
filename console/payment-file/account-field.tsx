import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../elements/page.tsx';

/** Which account a run is paid from. With only one there is nothing to choose. */
export function AccountField(props: {
  usable: readonly string[];
  account: string | null;
  onAccount: (account: string | null) => void;
}): ReactNode {
  const { usable, account, onAccount } = props;
  if (usable.length === 0) {
    return (
      <Notice tone="failed" title="There is no account to pay from">
        Ask an administrator which of the configured accounts you are to use.
      </Notice>
    );
  }
  if (usable.length === 1) {
    return (
      <p className="muted" style={{ margin: 0 }}>
        Paid from the account <strong>{account}</strong>.
      </p>
    );
  }
  return (
    <Select
      label="Account to pay from"
      description="Suspected duplicates are looked for within this account."
      placeholder="Choose one"
      required
      maw={360}
      data={[...usable]}
      value={account}
      onChange={onAccount}
    />
  );
}
