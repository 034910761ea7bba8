import { Drawer, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReceivedWebhook, WebhookDetail, WebhookKind } from '../../api/webhooks/received-webhook.ts';
import { AccountFilters } from '../accounts/account-filters.tsx';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { inWords, shortId } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Pages } from '../elements/more.tsx';
import { Facts, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { OperationsFrame } from './operations-frame.tsx';

const KINDS: readonly WebhookKind[] = [
  ...(['simple_payment', 'conversion', 'user', 'funding', 'refund', 'deposit'] as const),
  ...(['virtual_account_request', 'unknown'] as const),
];

const TONES: Readonly<Record<ReceivedWebhook['result'], Tone>> = {
  processed: 'paid',
  waiting: 'waiting',
  ignored: 'neutral',
  unparsed: 'unknown',
};

const MEANINGS: Readonly<Record<ReceivedWebhook['result'], string>> = {
  processed: 'What it is about was read from the provider after it came, or had ended before.',
  waiting: 'What it is about is read from the provider soon.',
  ignored: 'payrun has no record with this id.',
  unparsed: 'Nothing in it can be looked up.',
};

/** What the provider has sent. It is unsigned: what it says is read from the provider, and never believed. */
export function WebhooksPage(): ReactNode {
  const { search, change } = useAddress();
  const { kind, resourceId, result, account, webhook } = search;
  const list = useInfiniteQuery({
    queryKey: ['webhooks', kind, resourceId, result, account],
    queryFn: ({ pageParam, signal }) => {
      const given = { kind: kind as WebhookKind | undefined, result: result as ReceivedWebhook['result'] | undefined };
      return api.listWebhooks({ ...given, resourceId, account, before: pageParam }, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    refetchInterval: 10_000,
  });
  const columns: readonly Column<ReceivedWebhook>[] = [
    {
      name: 'Received',
      cell: ({ webhookId, lastReceivedAt }) => (
        <Link to="." search={{ ...search, webhook: webhookId }} className="main">
          <When at={lastReceivedAt} isExact />
        </Link>
      ),
    },
    { name: 'About', cell: (each) => inWords(each.kind) },
    { name: 'Says', cell: ({ status }) => (status === null ? '–' : inWords(status)) },
    { name: 'Result', cell: ({ result }) => <Mark tone={TONES[result]}>{result}</Mark> },
    { name: 'Concerns', cell: ({ subject }) => <Subject of={subject} /> },
    { name: 'Times', align: 'right', isWideOnly: true, cell: ({ times }) => times },
    { name: 'Account', isWideOnly: true, cell: ({ account }) => account },
  ];
  return (
    <OperationsFrame>
      <Filters />
      <Pages
        query={list}
        items={list.data?.pages.flatMap(({ webhooks }) => webhooks) ?? []}
        blank={{ title: 'No webhooks', text: 'They appear as the provider sends them, and are kept for 90 days.' }}
        more="Earlier webhooks"
      >
        {(webhooks) => (
          <Table label="Webhooks" rows={webhooks} columns={columns} keyOf={({ webhookId }) => webhookId} />
        )}
      </Pages>
      <Drawer
        opened={webhook !== undefined}
        onClose={() => change({ webhook: null })}
        position="right"
        size="lg"
        title="A webhook of the provider"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {webhook === undefined ? null : <Detail webhookId={webhook} />}
      </Drawer>
    </OperationsFrame>
  );
}

function Filters(): ReactNode {
  const { search, change } = useAddress();
  const { kind, resourceId, result } = search;
  return (
    <AccountFilters hasCurrency={false}>
      <Select
        label="About"
        placeholder="all"
        clearable
        w={200}
        data={KINDS.map((value) => ({ value, label: inWords(value) }))}
        value={kind ?? null}
        onChange={(value) => change({ kind: value })}
      />
      <Select
        label="Result"
        placeholder="all"
        clearable
        w={160}
        data={Object.keys(TONES)}
        value={result ?? null}
        onChange={(value) => change({ result: value })}
      />
      <TextInput
        label="The provider's id"
        w={280}
        value={resourceId ?? ''}
        onChange={(event) => change({ resourceId: event.currentTarget.value.trim() })}
      />
    </AccountFilters>
  );
}

function Subject({ of }: { of: ReceivedWebhook['subject'] }): ReactNode {
  if (of === null) return <span className="muted">–</span>;
  const { kind, id, name, runId, line } = of;
  const text = `${kind === 'row' ? '' : `${inWords(kind)} `}${name ?? shortId(id)}`;
  if (kind === 'row' && runId !== null) return <Link to={`/runs/${runId}/rows?row=${line ?? ''}`}>{text}</Link>;
  if (kind === 'order') return <Link to={`/treasury/conversions/${id}`}>{text}</Link>;
  if (kind === 'case') return <Link to={`/onboarding/${id}`}>{text}</Link>;
  return text;
}

function Detail({ webhookId }: { webhookId: string }): ReactNode {
  const webhook = useQuery({
    queryKey: ['webhooks', 'one', webhookId],
    queryFn: ({ signal }) => api.getWebhook({ webhookId }, { signal }),
  });
  return <Loaded query={webhook}>{(found) => <Found webhook={found} />}</Loaded>;
}

function Found({ webhook }: { webhook: WebhookDetail }): ReactNode {
  const { kind, resourceId, status, times, firstReceivedAt, lastReceivedAt, result, subject, body, fields } = webhook;
  return (
    <>
      <Section title="What it led to">
        <Facts
          of={[
            ['Result', <Mark key="result" tone={TONES[result]}>{`${result}. ${MEANINGS[result]}`}</Mark>],
            ['Concerns', <Subject key="subject" of={subject} />],
            ['State now', subject?.state === null || subject === null ? null : inWords(subject.state)],
            ['Read from the provider', <When key="read" at={subject?.readAt ?? null} isExact />],
          ]}
        />
      </Section>
      <Section title="What it says">
        <Facts
          of={[
            ['About', inWords(kind)],
            ["The provider's id", resourceId === null ? null : <code className="mono">{resourceId}</code>],
            ['Status', status],
            ['Received', <When key="first" at={firstReceivedAt} isExact />],
            times > 1 ? ['Repeated', `${times} times in all, last at ${lastReceivedAt.slice(11, 19)} UTC`] : null,
            ...Object.entries(fields ?? {})
              .filter(([name, value]) => value !== null && name !== 'kind' && name !== 'status' && value !== resourceId)
              .map(([name, value]) => [name, value] as const),
          ]}
        />
      </Section>
      <Section title="As it came">
        {body === null ? (
          <p className="muted">Your roles do not let you read it: it may name bank accounts or applicants.</p>
        ) : (
          <pre className="raw">{pretty(body)}</pre>
        )}
      </Section>
    </>
  );
}

/** In lines if that changes nothing of it: numbers may have more digits than a JavaScript number. */
function pretty(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '')
      ? JSON.stringify(value, null, 2)
      : body;
  } catch {
    return body;
  }
}
