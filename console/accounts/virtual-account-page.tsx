import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { VirtualAccount } from '../../api/accounts/virtual-account.ts';
import { VIRTUAL_ACCOUNT_STATE_TABLE } from '../../domain/accounts/virtual-account-state.ts';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Facts, Notice, Page, Section } from '../elements/page.tsx';
import { StateText } from '../elements/state-text.tsx';
import { Timeline } from '../elements/timeline.tsx';
import { useParam } from '../elements/use-address.ts';
import { CopiedNumber } from './copied-number.tsx';
import { VirtualAccountActions } from './virtual-account-actions.tsx';
import { OUTCOMES, VirtualStateMark } from './virtual-states.tsx';

/** One virtual account: its number, what the provider has, and what people said became of it. */
export function VirtualAccountPage(): ReactNode {
  const id = useParam('virtualAccountId');
  const account = useQuery({
    queryKey: ['virtual-account', id],
    queryFn: ({ signal }) => api.findVirtualAccount({ virtualAccountId: id }, { signal }),
    refetchInterval: 10_000,
  });
  const { data } = account;
  return (
    <Page
      title={data?.name ?? 'Virtual account'}
      under={data === undefined ? undefined : <VirtualStateMark state={data.state} />}
      actions={data === undefined ? undefined : <VirtualAccountActions account={data} />}
    >
      <Loaded query={account}>{(found) => <Shown account={found} />}</Loaded>
    </Page>
  );
}

function Shown({ account }: { account: VirtualAccount }): ReactNode {
  const { state, stateReason, amount, currency, type, requestedBy, requestedAt, readAt } = account;
  return (
    <>
      <Notice
        tone={VIRTUAL_ACCOUNT_STATE_TABLE[state].tone}
        title={<StateText of={VIRTUAL_ACCOUNT_STATE_TABLE[state]} />}
      >
        {stateReason === null ? null : inWords(stateReason)}
      </Notice>
      <Facts
        of={[
          ['Number', <CopiedNumber key="n" of={account} />],
          ['Currency', currency],
          ['Pays into', account.account],
          ['Provider of the account', account.provider],
          ['For', account.description],
          type === 'open' ? ['Amount', 'any'] : ['Amount', <Money key="a" amount={amount} currency={currency} />],
          [
            'Name at the provider',
            <code key="s" className="mono">
              {account.sentName}
            </code>,
          ],
          [
            "Provider's request",
            <code key="r" className="mono">
              {account.requestId ?? '–'}
            </code>,
          ],
          [
            'Asked for by',
            <span key="b">
              {requestedBy.name}, <When at={requestedAt} />
            </span>,
          ],
          ['Last read at the provider', readAt === null ? 'never' : <When key="w" at={readAt} />],
        ]}
      />
      {account.manualOutcomes.length === 0 ? null : (
        <Section title="What people said became of it">
          <Timeline
            moments={account.manualOutcomes.map(({ outcome, number, reason, proposedBy, proposedAt, ...said }) => ({
              at: proposedAt,
              title: `${proposedBy.name} says: ${OUTCOMES[outcome]}`,
              detail: [
                ...(number === null ? [] : [`Number ${number}.`]),
                reason === null ? 'The reason was erased.' : `“${reason}”`,
                said.closedBy === null ? 'Waits for a second person.' : `${said.state} by ${said.closedBy.name}`,
              ].join(' '),
            }))}
          />
        </Section>
      )}
    </>
  );
}
