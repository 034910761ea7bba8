import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { FileColumn } from '../../api/payment-file/column.ts';
import { FileRefusedError } from '../../client/sdk/errors.ts';
import { cellsOf } from '../../domain/payment-file/fill-from-book.ts';
import { api } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Failed, Notice, Page } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress } from '../elements/use-address.ts';
import { ProblemList } from '../payment-file/problem-list.tsx';
import { useFileColumns } from '../payment-file/use-file-columns.ts';
import { beneficiaryHref, inOrder, isOfBook, labelOf } from './beneficiary-words.ts';
import { useAccount } from './use-account.ts';

type Cells = Readonly<Record<string, string>>;

/** An account for the book: of a new beneficiary, another one of a known one, or that of a row that is held. */
export function NewAccountPage(): ReactNode {
  const account = useAccount();
  const columns = useFileColumns();
  const start = useStart(account);
  return (
    <Page title="Add an account" under={`To the book of the account ${account ?? ''}. A second person confirms it.`}>
      <Loaded query={columns}>
        {(all) => (
          <Loaded query={start}>
            {(cells) => (
              <AccountForm account={account} columns={all.filter(({ name }) => isOfBook(name))} start={cells} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

/** What is known already: of a row, or of the newest account of the key. An account number is typed again. */
function useStart(account: string | null) {
  const { key, run, line } = useAddress().search;
  return useQuery({
    queryKey: ['new-account', account, key, run, line],
    queryFn: async ({ signal }): Promise<Cells> => {
      if (run !== undefined && line !== undefined) {
        return cellsOfRow((await api.getRowByLine({ runId: run, line: Number(line) }, { signal })).instruction);
      }
      if (key === undefined) return {};
      const { beneficiaries } = await api.listBeneficiaries({ account, key }, { signal });
      const known = beneficiaries[0]?.accounts[0]?.columns ?? {};
      const kept = Object.entries(known).filter(([name]) => name.startsWith('beneficiary_'));
      return { ...Object.fromEntries(kept), beneficiary_key: key };
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

/** The columns by which a row describes its beneficiary. */
function cellsOfRow(instruction: Readonly<Record<string, unknown>> | null): Cells {
  const beneficiary = instruction?.['beneficiary'] as
    | { kind: string; details?: Parameters<typeof cellsOf>[0] }
    | undefined;
  return beneficiary?.details === undefined ? {} : cellsOf(beneficiary.details);
}

const ALWAYS = ['beneficiary_key', 'bank_currency'];

function AccountForm(props: { account: string | null; columns: readonly FileColumn[]; start: Cells }): ReactNode {
  const { account, columns, start } = props;
  const navigate = useNavigate();
  const [cells, setCells] = useState<Cells>(start);
  const add = useAction(
    async (given: Cells) => {
      const filled = Object.entries(given).filter(([, text]) => text.trim() !== '');
      return api.addBeneficiaries({ form: formOf(account, Object.fromEntries(filled)) });
    },
    {
      changes: [['beneficiaries'], ['beneficiary'], ['inbox']],
      then: () => {
        const key = (cells['beneficiary_key'] ?? '').trim().toUpperCase();
        void navigate({ href: beneficiaryHref(key, account ?? '') });
      },
    },
  );
  const needs = (column: FileColumn) => ALWAYS.includes(column.name) || column.need === 'with_details';
  const isShown = (column: FileColumn) =>
    needs(column) || SHOWN.includes(column.name) || start[column.name] !== undefined;
  const field = (column: FileColumn): ReactNode => (
    <TextInput
      key={column.name}
      label={labelOf(column.name)}
      placeholder={`${column.example}, for example`}
      withAsterisk={needs(column)}
      value={cells[column.name] ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget;
        add.reset();
        setCells((before) => ({ ...before, [column.name]: value }));
      }}
    />
  );
  const byName = new Map(columns.map((column) => [column.name, column]));
  const ordered = inOrder(columns.map(({ name }) => name)).flatMap((name) => byName.get(name) ?? []);
  const keyFirst = [
    ...ordered.filter(({ name }) => name === 'beneficiary_key'),
    ...ordered.filter(({ name }) => name !== 'beneficiary_key'),
  ];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    add.do(cells);
  };
  return (
    <form className="stack" style={{ maxWidth: 640 }} onSubmit={submit}>
      {keyFirst.filter(isShown).map(field)}
      <details>
        <summary>Other details, which some countries ask for</summary>
        <div className="stack">{keyFirst.filter((column) => !isShown(column)).map(field)}</div>
      </details>
      {add.error === null ? null : <NotAdded error={add.error} />}
      <div>
        <Button
          type="submit"
          loading={add.isRunning}
          disabled={columns.some((column) => needs(column) && (cells[column.name] ?? '').trim() === '')}
        >
          Add it
        </Button>
      </div>
    </form>
  );
}

/** What most accounts have. */
const SHOWN = [
  ...['bank_iban', 'bank_account_number', 'bank_bic_swift', 'beneficiary_company_name'],
  ...['beneficiary_first_name', 'beneficiary_last_name', 'beneficiary_address', 'beneficiary_city'],
];

/** A sheet of one row. */
function formOf(account: string | null, cells: Cells): FormData {
  const form = new FormData();
  if (account !== null) form.set('account', account);
  form.set('source', 'by_hand');
  form.set('file', new Blob([JSON.stringify([cells])], { type: 'application/json' }), 'account.json');
  return form;
}

export function NotAdded({ error }: { error: unknown }): ReactNode {
  if (!(error instanceof FileRefusedError)) return <Failed error={error} />;
  return (
    <>
      <Notice tone="failed" title="Nothing was added">
        Correct what is named below.
      </Notice>
      <ProblemList problems={error.problems} problemCount={error.problemCount} />
    </>
  );
}
