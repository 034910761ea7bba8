import type { EndpointSummary, NotificationTypeSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { count, moment, words } from '../wording.ts';

export function renderTypes(types: readonly NotificationTypeSummary[]): string {
  return textTable(
    [{ title: 'Type' }, { title: 'When' }],
    types.map(({ type, when }) => [type, when]),
  );
}

export function renderEndpoints(endpoints: readonly EndpointSummary[]): string {
  if (endpoints.length === 0) return "Notifications go nowhere yet: 'payrun notifications endpoints add --help'.";
  return textTable(
    [
      { title: 'Endpoint' },
      { title: 'To', maxWidth: 40 },
      { title: 'Types', maxWidth: 30 },
      { title: 'Undelivered', align: 'right' },
      { title: 'State' },
    ],
    endpoints.map((endpoint) => [
      endpoint.name,
      shortTargetOf(endpoint),
      typesOf(endpoint),
      count(endpoint.undelivered),
      stateOf(endpoint),
    ]),
  );
}

/** With the whole address, for whoever confirms it. */
export function renderEndpoint(endpoint: EndpointSummary): string {
  const { endpointId, name, url, addresses, undelivered, addedAt } = endpoint;
  return [
    `Endpoint ${printable(name)} (${printable(endpointId)})`,
    `  To           ${printable(url ?? addresses?.join(', ') ?? '')}`,
    `  Types        ${printable(typesOf(endpoint))}`,
    `  State        ${printable(stateOf(endpoint))}`,
    `  Undelivered  ${count(undelivered)}`,
    `  Added        ${moment(addedAt)}`,
  ].join('\n');
}

/** The path of a webhook may be a secret. */
function shortTargetOf({ url, addresses }: EndpointSummary): string {
  return url === null ? (addresses ?? []).join(', ') : `${new URL(url).origin}/…`;
}

function typesOf({ types }: EndpointSummary): string {
  return types === null ? 'all' : types.join(', ');
}

function stateOf({ state, stateReason, stateChangedAt, failingSince, changeId }: EndpointSummary): string {
  if (state === 'pending') return `needs a second administrator (payrun changes confirm ${changeId ?? ''})`;
  if (state === 'disabled')
    return `DISABLED on ${moment(stateChangedAt)}: ${REASONS[stateReason ?? ''] ?? words(stateReason ?? '')}`;
  return failingSince === null ? state : `${state}, failing since ${moment(failingSince)}`;
}

const REASONS: Readonly<Record<string, string>> = {
  by_administrator: 'by an administrator',
  failing: 'nothing could be delivered for five days',
  gone: 'its receiver answered that it is gone (410)',
  full: '10,000 notifications waited for it',
};
