import { VIRTUAL_ACCOUNT_STATE_TABLE } from '../../../domain/accounts/virtual-account-state.ts';
import type { VirtualAccount } from '../../sdk/index.ts';
import { stateLines } from '../state-lines.ts';
import { textTable } from '../text-table.ts';
import { moment, words } from '../wording.ts';

export function renderVirtualAccounts(accounts: readonly VirtualAccount[], hasMore: boolean): string {
  if (accounts.length === 0) return 'There are no virtual accounts.';
  const table = textTable(
    [
      { title: 'Id' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Name', maxWidth: 40 },
      { title: 'Currency' },
      { title: 'State' },
      { title: 'Number' },
    ],
    accounts.map((one) => [
      one.virtualAccountId,
      one.account,
      one.name,
      one.currency,
      words(one.state),
      one.number ?? '',
    ]),
  );
  return hasMore ? `${table}\n… and older ones: --limit shows more` : table;
}

export function describeVirtualAccount(one: VirtualAccount): string {
  const open = one.manualOutcomes.find(({ state }) => state === 'proposed');
  return [
    `${one.name} (${one.currency}) is ${words(one.state)}${one.stateReason === null ? '' : `: ${words(one.stateReason)}`}`,
    ...stateLines(VIRTUAL_ACCOUNT_STATE_TABLE[one.state]).map((line) => `  ${line}`),
    `  id          ${one.virtualAccountId}`,
    `  sent as     ${one.sentName}`,
    `  request     ${one.requestId ?? 'not known'}`,
    `  number      ${one.number ?? (one.state === 'approved' ? 'not issued, or not for your roles' : 'not before it is approved')}`,
    `  asked for   by ${one.requestedBy.name} on ${moment(one.requestedAt)}`,
    ...(open === undefined
      ? []
      : [
          `  proposed    ${words(open.outcome)}${open.number === null ? '' : ` with number ${open.number}`} by ${open.proposedBy.name}: ${open.reason ?? '(erased)'}`,
        ]),
  ].join('\n');
}
