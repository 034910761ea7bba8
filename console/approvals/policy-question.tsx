import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import type { PolicyExplanation } from '../../api/approvals/policy-explanation.ts';
import { useBalances } from '../accounts/use-balances.ts';
import { api } from '../calls/api.ts';
import { unfulfilledInWords } from '../../domain/approvals/policy-sentences.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';

type Step = PolicyExplanation['steps'][number];

const STEPS: readonly Column<Step>[] = [
  { name: 'Step', cell: ({ step }) => <strong>{step}</strong> },
  { name: 'By', cell: ({ role, logins }) => (role === null ? (logins ?? []).join(' or ') : `a ${role}`) },
  {
    name: 'Who could',
    cell: ({ people }) =>
      people.length === 0 ? <Mark tone="failed">nobody</Mark> : people.map(({ name }) => name).join(', '),
  },
];

/** "What would such a run need?", answered by the rules that decide: those in force (`proposed` null), or those of another policy. */
export function PolicyQuestion({ proposed }: { proposed: ApprovalPolicy | null }): ReactNode {
  const balances = useBalances();
  const data = balances.data ?? [];
  const accounts = data.map(({ account }) => account);
  const [given, setGiven] = useState<Given>({
    account: '',
    total: '',
    largest: '',
    currency: '',
    countries: '',
    maker: '',
    isNew: false,
  });
  const account = given.account || (accounts[0] ?? 'default');
  const ask = useAction(() => explain(proposed, { ...given, account }));
  const set = (parts: Partial<Given>): void => {
    setGiven({ ...given, ...parts });
    ask.reset();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    ask.do(undefined);
  };
  return (
    <Section title={proposed === null ? 'What would a run need?' : 'What would a run need by it?'}>
      <form className="stack" onSubmit={submit}>
        <Unread query={balances} what="The accounts" />
        <RunFields given={given} account={account} accounts={accounts} set={set} />
        <Checkbox
          label="It pays an account for the first time"
          checked={given.isNew}
          onChange={(event) => set({ isNew: event.currentTarget.checked })}
        />
        <div>
          <Button
            type="submit"
            variant="default"
            loading={ask.isRunning}
            disabled={given.total.trim() === '' || given.currency.trim() === ''}
          >
            Show
          </Button>
        </div>
      </form>
      {ask.error === null ? null : <Failed error={ask.error} />}
      {ask.answer === undefined || ask.answer === null ? null : <Answer of={ask.answer} />}
    </Section>
  );
}

interface Given {
  account: string;
  total: string;
  largest: string;
  currency: string;
  countries: string;
  maker: string;
  isNew: boolean;
}

/** Null: by this policy no run was asked about. */
async function explain(proposed: ApprovalPolicy | null, given: Given): Promise<PolicyExplanation | null> {
  const { account, isNew } = given;
  const [total, largest, maker] = [given.total.trim(), given.largest.trim(), given.maker.trim()];
  const currency = given.currency.trim().toUpperCase();
  const countries = given.countries
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .join(',');
  if (proposed === null) {
    return api.explainPolicy({ account, total, currency, largest, countries, maker, newBeneficiary: isNew });
  }
  const run = {
    ...{ account, total, currency, newBeneficiary: isNew },
    ...(largest === '' ? {} : { largest }),
    ...(countries === '' ? {} : { countries }),
    ...(maker === '' ? {} : { maker }),
  };
  return (await api.checkPolicy({ policy: proposed, run })).explanation;
}

interface RunFieldsProps {
  given: Given;
  /** The one that is asked about. */
  account: string;
  accounts: readonly string[];
  set: (parts: Partial<Given>) => void;
}

function RunFields({ given, account, accounts, set }: RunFieldsProps): ReactNode {
  return (
    <div className="filters">
      <TextInput
        label="Total"
        placeholder="25000.00"
        inputMode="decimal"
        required
        w={150}
        value={given.total}
        onChange={(event) => set({ total: event.currentTarget.value })}
      />
      <TextInput
        label="Currency"
        placeholder="EUR"
        required
        maxLength={3}
        w={90}
        value={given.currency}
        onChange={(event) => set({ currency: event.currentTarget.value })}
      />
      <TextInput
        label="Largest row"
        placeholder="as the total"
        inputMode="decimal"
        w={150}
        value={given.largest}
        onChange={(event) => set({ largest: event.currentTarget.value })}
      />
      <TextInput
        label="Countries of the banks"
        placeholder="not known"
        w={170}
        value={given.countries}
        onChange={(event) => set({ countries: event.currentTarget.value })}
      />
      <TextInput
        label="Maker's login"
        placeholder="anybody"
        w={150}
        value={given.maker}
        onChange={(event) => set({ maker: event.currentTarget.value })}
      />
      {accounts.length > 1 ? (
        <Select
          label="Account"
          w={150}
          data={accounts}
          value={account}
          onChange={(value) => set({ account: value ?? '' })}
        />
      ) : null}
    </div>
  );
}

function Answer({ of }: { of: PolicyExplanation }): ReactNode {
  const { rule, skippedRules, steps, needsSecondFactor } = of;
  return (
    <div className="stack" role="status">
      {rule === null ? (
        <Notice tone="failed" title="No rule fits: such a run could not be approved">
          An administrator can add a rule for it.
        </Notice>
      ) : (
        <Notice tone="neutral" title={`The rule “${rule}” applies`}>
          {needsSecondFactor ? 'Each approval takes a second factor. ' : ''}
          Nobody approves their own run, and each person counts once.
        </Notice>
      )}
      {steps.length === 0 ? null : (
        <Table label="Approvals that it would need" rows={steps} columns={STEPS} keyOf={({ step }) => String(step)} />
      )}
      {skippedRules.length === 0 ? null : (
        <div>
          <span className="muted">Rules that come first and do not apply:</span>
          <ul>
            {skippedRules.map((each) => (
              <li key={each.rule}>
                “{each.rule}” {each.unmetConditions.map(unfulfilledInWords).join(', and ')}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
