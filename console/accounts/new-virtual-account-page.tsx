import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import type { AccountBalances } from '../../api/accounts/balance.ts';
import { useBalances } from './use-balances.ts';
import { api } from '../calls/api.ts';
import { Failed, Notice, Page } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';

const EMPTY = { account: '', name: '', provider: '', currency: '', description: '', amount: '', expiry: '' };
type Terms = typeof EMPTY;

/** Asks the provider for a number: once, since the provider cannot tell a repeated request from another one. */
export function NewVirtualAccountPage(): ReactNode {
  const navigate = useNavigate();
  const [terms, setTerms] = useState<Terms | null>(null);
  const [type, setType] = useState<'open' | 'fixed'>('open');
  const listId = useId();
  const balances = useBalances();
  const [first, ...others] = balances.data ?? [];
  // The only account that there is needs not be typed.
  const given = terms ?? { ...EMPTY, account: others.length === 0 ? (first?.account ?? '') : '' };
  const request = useAction(
    ({ amount, expiry, ...rest }: Terms) =>
      api.requestVirtualAccount({
        ...rest,
        type,
        amount: type === 'fixed' ? amount : null,
        expiryDuration: type === 'fixed' ? Number(expiry) : null,
      }),
    {
      changes: [['virtual-accounts']],
      then: ({ virtualAccountId }) => void navigate({ to: `/accounts/virtual/${virtualAccountId}` }),
    },
  );
  const field = (name: keyof Terms, label: string, hint?: string, list?: string): ReactNode => (
    <Field
      {...{ label, hint, list }}
      value={given[name]}
      onChange={(value) => {
        request.reset();
        setTerms({ ...given, [name]: name === 'currency' ? value.toUpperCase() : value });
      }}
    />
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    request.do(given);
  };
  return (
    <Page title="Ask for a virtual account" under="The provider approves it, or not. Its number is shown then.">
      <form className="stack" style={{ maxWidth: 640 }} onSubmit={submit}>
        {field('name', 'Name', 'Letters, digits and spaces: a tag is added by which it is found again.')}
        {field('description', 'For', 'What the provider is told: customers pay here.')}
        <div className="row fields-row">
          {field('account', 'Pays into', undefined, listId)}
          {field('currency', 'Currency', 'EUR, for example')}
        </div>
        <Accounts id={listId} query={balances} />
        {field('provider', 'Provider of the account', 'The code that your contract names.')}
        <TypeControl type={type} onChange={setType} />
        {type === 'fixed' ? (
          <div className="row fields-row">
            {field('amount', 'Amount', '2500.00, for example')}
            {field('expiry', 'Expires after', "1 to 48, in the provider's unit")}
          </div>
        ) : null}
        {request.error === null ? null : <Failed error={request.error} />}
        <Notice tone="neutral">
          It is asked for once. If the provider does not answer, nothing is sent again by itself.
        </Notice>
        <div>
          <Button type="submit" loading={request.isRunning} disabled={!isComplete(given, type)}>
            Ask for it
          </Button>
        </div>
      </form>
    </Page>
  );
}

function Accounts({ id, query }: { id: string; query: UseQueryResult<AccountBalances[]> }): ReactNode {
  return (
    <>
      <Unread query={query} what="The accounts" />
      <datalist id={id}>
        {query.data?.map(({ account }) => (
          <option key={account} value={account} />
        ))}
      </datalist>
    </>
  );
}

function Field(props: {
  label: string;
  hint?: string | undefined;
  list?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const { label, hint, list, value, onChange } = props;
  return (
    <TextInput
      label={label}
      description={hint}
      withAsterisk
      list={list}
      style={{ flex: '1 1 200px' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function isComplete(terms: Terms, type: 'open' | 'fixed'): boolean {
  const { amount, expiry, ...always } = terms;
  const needed = [...Object.values(always), ...(type === 'fixed' ? [amount, expiry] : [])];
  return needed.every((text) => text.trim() !== '');
}

function TypeControl(props: { type: 'open' | 'fixed'; onChange: (type: 'open' | 'fixed') => void }): ReactNode {
  return (
    <SegmentedControl
      aria-label="Which amounts it takes"
      data={[
        { value: 'open', label: 'takes any amount' },
        { value: 'fixed', label: 'takes one fixed amount' },
      ]}
      value={props.type}
      onChange={(value) => props.onChange(value === 'fixed' ? 'fixed' : 'open')}
    />
  );
}
