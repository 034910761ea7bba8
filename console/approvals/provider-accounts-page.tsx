import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ProviderAccount } from '../../api/accounts/provider-account.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Facts, Notice, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';
import { useMay } from '../shell/session.tsx';
import { AdminFrame } from '../users/admin-frame.tsx';
import { GoingLiveSection } from './going-live-section.tsx';

/** The accounts with a provider: whose record this is. No secret is in it. */
export function ProviderAccountsPage(): ReactNode {
  const mayManage = useMay('manage_users');
  const [isProposed, setProposed] = useState(false);
  const accounts = useQuery({
    queryKey: ['provider-accounts'],
    queryFn: async ({ signal }) => (await api.listProviderAccounts({}, { signal })).accounts,
  });
  const { asked, open, close, hasChanged } = useAskedRow<ProviderAccount, 'change'>(({ account }) =>
    JSON.stringify(accounts.data?.find((each) => each.account === account)?.provider ?? null),
  );
  const ask = (account: ProviderAccount): void => {
    setProposed(false);
    open('change', account);
  };
  return (
    <AdminFrame>
      <ChangedMeanwhile what="The provider of the account" asked={{ hasChanged, close }} />
      {isProposed ? (
        <Notice tone="waiting">
          Recorded. What takes a second administrator stands under <Link to="/admin/changes">Changes</Link>.
        </Notice>
      ) : null}
      <GoingLiveSection />
      <Loaded query={accounts}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="There is no account with a provider">
              <p>
                Accounts are configured where payrun runs; each appears here as soon as the server has started with it.
              </p>
            </Blank>
          ) : (
            list.map((account) => (
              <AccountSection key={account.account} of={account} onChange={mayManage ? () => ask(account) : null} />
            ))
          )
        }
      </Loaded>
      {asked === null ? null : <ChangeDialog of={asked.row} onClose={close} onProposed={() => setProposed(true)} />}
    </AdminFrame>
  );
}

function AccountSection(props: { of: ProviderAccount; onChange: (() => void) | null }): ReactNode {
  const { account, provider, limits } = props.of;
  return (
    <Section
      title={`Account ${account}`}
      aside={provider?.isSandbox === true ? <Mark tone="neutral">sandbox: no real money</Mark> : undefined}
    >
      <div className="stack">
        {provider === null ? (
          <span className="muted">
            No provider is recorded yet: the first worker with this account records its own.
          </span>
        ) : null}
        <Facts
          of={[
            provider === null ? null : ['Address of the provider', provider.apiAddress],
            provider === null
              ? null
              : [
                  'Access key, SHA-256 of its id',
                  <code key="key" className="mono" style={{ overflowWrap: 'anywhere' }}>
                    {provider.accessKey}
                  </code>,
                ],
            provider === null ? null : ['Recorded', <When key="at" at={provider.recordedAt} />],
            limits === null
              ? ['Limits', 'this server is not configured with the account']
              : [
                  'Limits',
                  `${limits.perSecond === 0 ? 'any number of' : formatCount(limits.perSecond)} requests a second, ` +
                    `${formatCount(limits.perDay)} a day, of which ${formatCount(limits.reservedPerDay)} are kept for ` +
                    'payments that have begun',
                ],
          ]}
        />
        {props.onChange === null || provider === null ? null : (
          <div>
            <Button variant="default" aria-label={`Change the provider of ${account}`} onClick={props.onChange}>
              Change the provider …
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

function ChangeDialog(props: { of: ProviderAccount; onClose: () => void; onProposed: () => void }): ReactNode {
  const { of, onClose, onProposed } = props;
  const [apiUrl, setApiUrl] = useState('');
  const [accessKeyId, setAccessKeyId] = useState('');
  const change = useAction(
    () => api.changeProvider({ account: of.account, apiUrl: apiUrl.trim(), accessKeyId: accessKeyId.trim() }),
    {
      changes: [['changes'], ['inbox'], ['provider-accounts']],
      then: () => {
        onProposed();
        onClose();
      },
    },
  );
  return (
    <ReasonDialog
      title={`Change the provider of ${of.account}?`}
      verb="Propose the change"
      reason="none"
      isDangerous
      isBlocked={apiUrl.trim() === '' || accessKeyId.trim() === ''}
      action={change}
      isOpen
      onClose={onClose}
    >
      <Facts of={[['Address now', of.provider?.apiAddress ?? null]]} />
      <TextInput
        label="New address of the provider"
        placeholder="https://api.provider.example"
        description="As in PAYRUN_API_URL."
        type="url"
        required
        value={apiUrl}
        onChange={(event) => setApiUrl(event.currentTarget.value)}
      />
      <TextInput
        label="Id of the new access key"
        description="As in PAYRUN_ACCESS_KEY_ID, not the secret: only a hash of it is kept."
        required
        autoComplete="off"
        value={accessKeyId}
        onChange={(event) => setAccessKeyId(event.currentTarget.value)}
      />
      <p style={{ margin: 0 }}>
        Once it is in effect, workers with any other address or key are refused, and nothing is paid from this account
        until workers have the new ones. A second administrator confirms it.
      </p>
    </ReasonDialog>
  );
}
