import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ActionableCase, CaseDocument } from '../../api/onboarding/case-detail.ts';
import { CASE_STATE_TABLE } from '../../domain/onboarding/case-state.ts';
import { AuditList } from '../audit/audit-list.tsx';
import { api, linkTo } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { formatBytes, inWords, withoutFullStop } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Facts, Notice, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useParam } from '../elements/use-address.ts';
import { useTopic } from '../shell/live.tsx';
import { useMay } from '../shell/session.tsx';
import { CaseActions } from './case-actions.tsx';
import { CaseMark } from './case-states.tsx';
import { ExportCase } from './export-case.tsx';
import { capitalized } from '../../domain/capitalized.ts';

/** One applicant: what is missing and who owes it, what was given, what the provider wrote, what happened. */
export function CasePage(): ReactNode {
  const caseId = useParam('caseId');
  const refetchInterval = useTopic(`case:${caseId}`);
  const found = useQuery({
    queryKey: ['case', caseId],
    queryFn: ({ signal }) => api.getCase({ caseId }, { signal }),
    refetchInterval,
  });
  return (
    <Page
      title={found.data?.applicantRef ?? 'Applicant'}
      under={found.data === undefined ? undefined : <Under of={found.data} />}
      actions={found.data === undefined ? undefined : <Actions of={found.data} />}
    >
      <Loaded query={found}>{(of) => <Case of={of} />}</Loaded>
    </Page>
  );
}

function Actions({ of }: { of: ActionableCase }): ReactNode {
  return (
    <>
      <ExportCase of={of} />
      <CaseActions of={of} />
    </>
  );
}

function Under({ of }: { of: ActionableCase }): ReactNode {
  return (
    <span className="row">
      <CaseMark state={of.state} />
      <span>{of.accountType}</span>
      <span>account {of.account}</span>
      <span>
        submitted by {of.submittedBy.name} <When at={of.submittedAt} />
      </span>
    </span>
  );
}

function Case({ of }: { of: ActionableCase }): ReactNode {
  const { state, missing, stateReason, sentences } = of;
  return (
    <>
      <Notice tone={CASE_STATE_TABLE[state].tone} title={withoutFullStop(sentences.status)}>
        {missing.length === 0 ? null : <div>Asked for: {missing.map(inWords).join(', ')}.</div>}
        {stateReason === null ? null : <div>Reason: {inWords(stateReason)}.</div>}
        {sentences.toDo === null ? null : <div>{sentences.toDo}</div>}
      </Notice>
      {of.holds.map(({ kind, since }) => (
        <Notice key={kind} tone="waiting" title={`Nothing is sent at present: ${inWords(kind)}`}>
          Since <When at={since} />
        </Notice>
      ))}
      <div className="columns">
        <Section title="What was given">
          <Values of={of} />
        </Section>
        <Section title="At the provider">
          <Facts
            of={[
              ['Status', of.providerStatus === null ? null : inWords(of.providerStatus)],
              ['User', of.userId],
              ['Account', of.accountId],
              ['Revision', of.revision],
              of.withdrawn === null ? null : ['Withdrawn by', of.withdrawn.by.name],
              of.erased === null ? null : ['Erased by', of.erased.by.name],
              of.erasableFrom === null ? null : ['May be erased from', <When key="e" at={of.erasableFrom} />],
            ]}
          />
          <ol className="timeline" style={{ marginTop: 12 }}>
            {of.remarks.map(({ text, providerStatus, seenAt }) => (
              <li key={seenAt} data-tone="waiting">
                <strong>{inWords(providerStatus)}</strong>, <When at={seenAt} />
                <div>{text === null ? <span className="muted">not shown</span> : `“${text}”`}</div>
              </li>
            ))}
          </ol>
        </Section>
      </div>
      <Documents of={of} />
      <Requests of={of} />
      <History caseId={of.caseId} />
    </>
  );
}

function Values({ of }: { of: ActionableCase }): ReactNode {
  if (of.values === null) {
    return (
      <span className="muted">
        {of.erased === null ? 'Personal data is shown to onboarders and viewers.' : 'The personal data was destroyed.'}
      </span>
    );
  }
  return <Facts of={Object.entries(of.values).map(([name, value]) => [capitalized(inWords(name)), value] as const)} />;
}

function Documents({ of }: { of: ActionableCase }): ReactNode {
  const mayRead = useMay('read_applicants');
  const columns: readonly Column<CaseDocument>[] = [
    {
      name: 'Document',
      cell: ({ slot, fileName }) =>
        mayRead && of.erased === null ? (
          <a className="main" href={linkTo('getCaseDocument', { caseId: of.caseId, slot })} download>
            {fileName ?? inWords(slot)}
          </a>
        ) : (
          <strong>{inWords(slot)}</strong>
        ),
    },
    { name: 'Kind', cell: ({ documentType }) => inWords(documentType) },
    { name: 'State', cell: ({ state }) => state },
    { name: 'Size', align: 'right', cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  ];
  return (
    <Section title="Documents">
      {of.documents.length === 0 ? (
        <Blank title={of.erased === null ? 'No documents were given' : 'The documents were destroyed'}>
          {of.erased === null ? (
            <p>They come with the file of applicants, or are supplied when they are asked for.</p>
          ) : null}
        </Blank>
      ) : (
        <Table label="Documents" rows={of.documents} columns={columns} keyOf={({ slot }) => slot} />
      )}
    </Section>
  );
}

function Requests({ of }: { of: ActionableCase }): ReactNode {
  const columns: readonly Column<ActionableCase['requests'][number]>[] = [
    {
      name: 'Request',
      cell: ({ operation, slot }) => `${inWords(operation)}${slot === null ? '' : `, ${inWords(slot)}`}`,
    },
    { name: 'Outcome', cell: ({ outcome }) => inWords(outcome) },
    { name: 'Status', align: 'right', cell: ({ httpStatus }) => httpStatus ?? 'no answer' },
    { name: 'At', align: 'right', cell: ({ begunAt }) => <When at={begunAt} isExact /> },
  ];
  return (
    <Section title="What was sent">
      {of.requests.length === 0 ? (
        <Blank title="Nothing was sent to the provider yet">
          <p>payrun sends what was given by itself; above is why it waits, if it does.</p>
        </Blank>
      ) : (
        <Table
          label="Requests"
          rows={of.requests}
          columns={columns}
          keyOf={({ operation, begunAt, slot }) => `${operation}${begunAt}${slot ?? ''}`}
        />
      )}
    </Section>
  );
}

function History({ caseId }: { caseId: string }): ReactNode {
  const audit = useQuery({
    queryKey: ['case', caseId, 'audit'],
    queryFn: ({ signal }) => api.listCaseAudit({ caseId, limit: 1000 }, { signal }),
  });
  return (
    <Section title="What happened">
      <Loaded query={audit}>{({ entries }) => <AuditList entries={entries} />}</Loaded>
    </Section>
  );
}
