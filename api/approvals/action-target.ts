import { isCalendarDate } from '../../domain/calendar-date.ts';

/** The resources, each with its actions. Actions have the names of their routes in the description of the API. */
export const ACTIONS = {
  run: ['approve', 'reject', 'release', 'send', 'withdraw', 'stop', 'cancel', 'erase'],
  row: ['release', 'proposeManualOutcome', 'confirmManualOutcome', 'rejectManualOutcome'],
  order: [
    'approve',
    'reject',
    'withdraw',
    'release',
    'proposeManualOutcome',
    'confirmManualOutcome',
    'rejectManualOutcome',
  ],
  case: ['supply', 'withdraw', 'retry', 'erase', 'proposeManualOutcome', 'confirmManualOutcome', 'rejectManualOutcome'],
  break: ['explain', 'close', 'reopen'],
  stop: ['lift'],
  change: ['confirm', 'reject'],
  schedule: ['confirm', 'reject', 'edit', 'pause', 'resume', 'delete', 'trigger', 'backfill'],
  virtual_account: ['proposeManualOutcome', 'confirmManualOutcome', 'rejectManualOutcome'],
  receipt: ['assign'],
  day: ['sign'],
} as const;

export type ActionKind = keyof typeof ACTIONS;
export type NamedKind = 'receipt' | 'day';
export type IdentifiedKind = Exclude<ActionKind, NamedKind>;

export type ActionTarget =
  /** Of a row: the id of its payment. */
  | { kind: IdentifiedKind; id: string }
  /** These have no id. */
  | { kind: 'receipt'; name: { account: string; currency: string; entryId: string } }
  | { kind: 'day'; name: { account: string; day: string } };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `run:ID`, `receipt:ACCOUNT/CURRENCY/ENTRY_ID` or `day:ACCOUNT/2026-01-31`; null: the text is none of these. */
export function actionTargetOf(text: string): ActionTarget | null {
  const [kind = '', rest = ''] = text.split(/:(.*)/s);
  if (kind === 'receipt' || kind === 'day') return named(kind, partsOf(rest));
  const id = rest.toLowerCase();
  return isIdentified(kind) && ID.test(id) ? { kind, id } : null;
}

function isIdentified(kind: string): kind is IdentifiedKind {
  return Object.hasOwn(ACTIONS, kind);
}

function named(kind: NamedKind, [account = '', second = '', ...others]: readonly string[]): ActionTarget | null {
  if (account === '' || second === '') return null;
  if (kind === 'day') {
    return others.length === 0 && isCalendarDate(second) ? { kind, name: { account, day: second } } : null;
  }
  const [entryId = ''] = others;
  return others.length === 1 && entryId !== '' ? { kind, name: { account, currency: second, entryId } } : null;
}

/** Parts are percent-encoded, as the provider's id of an entry may have any characters. NUL is none that Postgres can store. */
function partsOf(text: string): readonly string[] {
  try {
    const parts = text.split('/').map(decodeURIComponent);
    return parts.some((part) => part.includes('\0')) ? [] : parts;
  } catch {
    return [];
  }
}
