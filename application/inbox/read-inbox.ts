import type { IdentifiedKind } from '../../api/approvals/action-target.ts';
import { type Inbox, INBOX_KINDS, type InboxGroup, type InboxItem, type InboxKind } from '../../api/inbox/inbox.ts';
import { whyNobodyApproves } from '../../domain/runs/approval-sentences.ts';
import { runSentences } from '../../domain/runs/run-sentences.ts';
import { mayAny, type Permission } from '../../domain/users/role.ts';
import { listWaiting, type WaitingItem, type WaitingKind } from '../../store/inbox/waiting-items.ts';
import { readRun } from '../../store/runs/runs.ts';
import { type ActionDependencies, allowedActions } from '../approvals/allowed-actions.ts';
import { runApproval } from '../approvals/run-approval.ts';
import { iso } from '../iso-time.ts';
import { factsOf } from '../runs/run-views.ts';
import type { SignedIn } from '../users/signed-in.ts';

interface Source {
  from: WaitingKind;
  /** Nobody else does anything about it. */
  permission: Permission;
  /** Only what the user may do this with now. */
  action?: { kind: IdentifiedKind; action: string };
}

const SOURCES: Readonly<Record<InboxKind, Source>> = {
  approval: { from: 'runs_in_approval', permission: 'decide_run', action: { kind: 'run', action: 'approve' } },
  checked: { from: 'own_checked_runs', permission: 'submit_run' },
  no_approver: { from: 'own_runs_in_approval', permission: 'submit_run' },
  not_approved: { from: 'own_unapproved_runs', permission: 'submit_run' },
  unknown_row: { from: 'unknown_rows', permission: 'propose_manual_outcome' },
  manual_outcome: {
    from: 'row_manual_outcomes',
    permission: 'decide_run',
    action: { kind: 'row', action: 'confirmManualOutcome' },
  },
  held_row: { from: 'held_rows', permission: 'decide_run' },
  unconfirmed_account: { from: 'proposed_accounts', permission: 'decide_run' },
  order_approval: {
    from: 'orders_in_approval',
    permission: 'decide_conversion',
    action: { kind: 'order', action: 'approve' },
  },
  schedule_approval: {
    from: 'schedule_versions',
    permission: 'decide_conversion',
    action: { kind: 'schedule', action: 'confirm' },
  },
  unknown_order: { from: 'unknown_orders', permission: 'convert' },
  order_manual_outcome: {
    from: 'order_manual_outcomes',
    permission: 'decide_conversion',
    action: { kind: 'order', action: 'confirmManualOutcome' },
  },
  case: { from: 'cases', permission: 'onboard' },
  case_manual_outcome: {
    from: 'case_manual_outcomes',
    permission: 'confirm_case',
    action: { kind: 'case', action: 'confirmManualOutcome' },
  },
  unknown_virtual_account: { from: 'unknown_virtual_accounts', permission: 'request_virtual_account' },
  virtual_account_manual_outcome: {
    from: 'virtual_account_manual_outcomes',
    permission: 'confirm_virtual_account',
    action: { kind: 'virtual_account', action: 'confirmManualOutcome' },
  },
  receipt: { from: 'receipts', permission: 'assign_receipt' },
  break: { from: 'breaks', permission: 'propose_manual_outcome' },
  day: { from: 'days', permission: 'decide_run' },
  stop: { from: 'stops', permission: 'lift_stop', action: { kind: 'stop', action: 'lift' } },
  not_paid: { from: 'unpaid_rows', permission: 'submit_run' },
  change: { from: 'changes', permission: 'confirm_change', action: { kind: 'change', action: 'confirm' } },
};

const MAX_COUNTED = 1_000;
/** Each of these is asked for. */
const MAX_ASKED = 100;
const MAX_SHOWN = 20;
const DAY_MS = 86_400_000;
/** A run that ended unapproved or with unpaid rows is shown for so long: by then, its maker has left it. */
const UNPAID_SHOWN_MS = 14 * DAY_MS;
/** By then, what the provider lists has explained a receipt, or nothing there does. */
const RECEIPT_EXPLAINED_WITHIN_MS = 3_600_000;

/** What waits, and why, where its kind does not say that. */
interface Shown {
  item: WaitingItem;
  reason: string | null;
}

/** What waits for the user, by their roles and accounts, and by the rules that decide what they may do. */
export async function readInbox(dependencies: ActionDependencies, user: SignedIn): Promise<Inbox> {
  const groups: InboxGroup[] = [];
  // One after another: many users may look at the same time.
  for (const kind of INBOX_KINDS) {
    const group = await groupOf(dependencies, user, kind);
    if (group.count > 0) groups.push(group);
  }
  return { count: groups.reduce((sum, { count }) => sum + count, 0), groups };
}

async function groupOf(dependencies: ActionDependencies, user: SignedIn, kind: InboxKind): Promise<InboxGroup> {
  const { permission, action } = SOURCES[kind];
  const isAsked = action !== undefined || kind === 'no_approver' || kind === 'not_approved';
  const max = isAsked ? MAX_ASKED : MAX_COUNTED;
  const found = mayAny(user.roles, permission) ? await listFor(dependencies, user, kind, max + 1) : [];
  const mine: Shown[] = [];
  for (const item of found.slice(0, max)) {
    const reason = await reasonOf(dependencies, kind, item);
    const isMine = action === undefined || (await isAllowed(dependencies, user, action, item.id));
    if (isMine && (kind !== 'no_approver' || reason !== null)) mine.push({ item, reason });
  }
  return {
    kind,
    count: mine.length,
    hasMore: found.length > max,
    oldestSince: iso(mine[0]?.item.waitingSince ?? null),
    ages: agesOf(mine, dependencies.now()),
    items: mine.slice(0, MAX_SHOWN).map(itemOf),
  };
}

function listFor(
  { database, now }: ActionDependencies,
  user: SignedIn,
  kind: InboxKind,
  limit: number,
): Promise<WaitingItem[]> {
  return listWaiting(database, SOURCES[kind].from, {
    accounts: user.accounts,
    limit,
    endedAfter: new Date(now() - UNPAID_SHOWN_MS),
    seenBefore: new Date(now() - RECEIPT_EXPLAINED_WITHIN_MS),
    maker: user.userId,
  });
}

/** Why nobody can approve a run, null if somebody can; how one ended that was not approved. Null: the kind says it. */
async function reasonOf(
  dependencies: ActionDependencies,
  kind: InboxKind,
  { id }: WaitingItem,
): Promise<string | null> {
  if (kind !== 'no_approver' && kind !== 'not_approved') return null;
  const run = await readRun(dependencies.database, id);
  if (run !== null && kind === 'not_approved') {
    const comment = run.decisions.at(-1)?.comment ?? null;
    return `${runSentences(factsOf(run, [])).status}${comment === null ? '' : ` “${comment}”`}`;
  }
  return run === null ? null : whyNobodyApproves(run, await runApproval(dependencies, run));
}

async function isAllowed(
  dependencies: ActionDependencies,
  user: SignedIn,
  { kind, action }: { kind: IdentifiedKind; action: string },
  id: string,
): Promise<boolean> {
  const actions = await allowedActions(dependencies, user, { kind, id }, [action]);
  return actions?.find((each) => each.action === action)?.isAllowed === true;
}

function agesOf(shown: readonly Shown[], nowMs: number): InboxGroup['ages'] {
  const ages = { underOneDay: 0, oneToThreeDays: 0, threeToSevenDays: 0, overSevenDays: 0 };
  for (const { item } of shown) {
    const days = (nowMs - item.waitingSince.getTime()) / DAY_MS;
    if (days < 1) ages.underOneDay += 1;
    else if (days < 3) ages.oneToThreeDays += 1;
    else if (days < 7) ages.threeToSevenDays += 1;
    else ages.overSevenDays += 1;
  }
  return ages;
}

function itemOf({ item, reason }: Shown): InboxItem {
  const { waitingSince, expiresAt, ...rest } = item;
  return { ...rest, waitingSince: waitingSince.toISOString(), expiresAt: iso(expiresAt), reason };
}
