import type { IdentifiedKind } from '../../api/approvals/action-target.ts';
import { type Inbox, INBOX_KINDS, type InboxGroup, type InboxItem, type InboxKind } from '../../api/inbox/inbox.ts';
import { mayAny, type Permission } from '../../domain/users/role.ts';
import { listWaiting, type WaitingItem, type WaitingKind } from '../../store/inbox/waiting-items.ts';
import { type ActionDependencies, allowedActions } from '../approvals/allowed-actions.ts';
import { iso } from '../iso-time.ts';
import type { SignedIn } from '../users/signed-in.ts';

interface Source {
  from: WaitingKind;
  /** Nobody else does anything about it. */
  permission: Permission;
  /** Only what the user may do this with now. */
  action: { kind: IdentifiedKind; action: string } | null;
}

const SOURCES: Readonly<Record<InboxKind, Source>> = {
  approval: { from: 'runs_in_approval', permission: 'decide_run', action: { kind: 'run', action: 'approve' } },
  unknown_row: { from: 'unknown_rows', permission: 'propose_resolution', action: null },
  resolution: {
    from: 'row_resolutions',
    permission: 'decide_run',
    action: { kind: 'row', action: 'confirmResolution' },
  },
  held_row: { from: 'held_rows', permission: 'decide_run', action: null },
  order_approval: {
    from: 'orders_in_approval',
    permission: 'decide_conversion',
    action: { kind: 'order', action: 'approve' },
  },
  unknown_order: { from: 'unknown_orders', permission: 'convert', action: null },
  case: { from: 'cases', permission: 'onboard', action: null },
  break: { from: 'breaks', permission: 'propose_resolution', action: null },
  stop: { from: 'stops', permission: 'lift_stop', action: { kind: 'stop', action: 'lift' } },
  not_paid: { from: 'unpaid_rows', permission: 'submit_run', action: null },
  change: { from: 'changes', permission: 'confirm_change', action: { kind: 'change', action: 'confirm' } },
};

const MAX_COUNTED = 1_000;
/** Each of these is asked for. */
const MAX_ASKED = 100;
const MAX_SHOWN = 20;
const DAY_MS = 86_400_000;
/** A run that ended with unpaid rows is shown for so long: by then, its maker has left them. */
const UNPAID_SHOWN_MS = 14 * DAY_MS;

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
  const { from, permission, action } = SOURCES[kind];
  const max = action === null ? MAX_COUNTED : MAX_ASKED;
  const endedAfter = new Date(dependencies.now() - UNPAID_SHOWN_MS);
  const found = mayAny(user.roles, permission)
    ? await listWaiting(dependencies.database, from, { accounts: user.accounts, limit: max + 1, endedAfter })
    : [];
  const mine: WaitingItem[] = [];
  for (const item of found.slice(0, max)) {
    if (action === null || (await isAllowed(dependencies, user, action, item.id))) mine.push(item);
  }
  const { decisionWithinMs } = dependencies.settings;
  return {
    kind,
    count: mine.length,
    hasMore: found.length > max,
    oldestSince: iso(mine[0]?.waitingSince ?? null),
    ages: agesOf(mine, dependencies.now()),
    items: mine.slice(0, MAX_SHOWN).map((item) => itemOf(item, kind === 'approval' ? decisionWithinMs : null)),
  };
}

async function isAllowed(
  dependencies: ActionDependencies,
  user: SignedIn,
  { kind, action }: { kind: IdentifiedKind; action: string },
  id: string,
): Promise<boolean> {
  const actions = await allowedActions(dependencies, user, { kind, id });
  return actions?.find((each) => each.action === action)?.isAllowed === true;
}

function agesOf(items: readonly WaitingItem[], nowMs: number): InboxGroup['ages'] {
  const ages = { underOneDay: 0, oneToThreeDays: 0, threeToSevenDays: 0, overSevenDays: 0 };
  for (const { waitingSince } of items) {
    const days = (nowMs - waitingSince.getTime()) / DAY_MS;
    if (days < 1) ages.underOneDay += 1;
    else if (days < 3) ages.oneToThreeDays += 1;
    else if (days < 7) ages.threeToSevenDays += 1;
    else ages.overSevenDays += 1;
  }
  return ages;
}

function itemOf({ waitingSince, expiresAt, ...item }: WaitingItem, expiresAfterMs: number | null): InboxItem {
  const end = expiresAfterMs === null ? expiresAt : new Date(waitingSince.getTime() + expiresAfterMs);
  return { ...item, waitingSince: waitingSince.toISOString(), expiresAt: iso(end) };
}
