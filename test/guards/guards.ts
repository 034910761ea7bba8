import { ACCOUNT_GUARDS } from './account-guards.ts';
import { CHANGE_GUARDS } from './change-guards.ts';
import { BEGINNING_GUARDS } from './beginning-guards.ts';
import { CONTENT_GUARDS } from './content-guards.ts';
import { COST_BOUND_GUARDS } from './cost-bound-guards.ts';
import { BOOK_GUARDS } from './book-guards.ts';
import { DUPLICATE_GUARDS } from './duplicate-guards.ts';
import { ERASURE_GUARDS } from './erasure-guards.ts';
import { POLICY_GUARDS } from './policy-guards.ts';
import { DECIDING_GUARDS } from './deciding-guards.ts';
import { FACTOR_GUARDS } from './factor-guards.ts';
import { FLOW_GUARDS } from './flow-guards.ts';
import { GOING_LIVE_GUARDS } from './going-live-guards.ts';
import { type Guard, readMarks } from './guard.ts';
import { ONBOARDING_GUARDS } from './onboarding-guards.ts';
import { NOTIFICATION_GUARDS } from './notification-guards.ts';
import { LIMIT_GUARDS } from './limit-guards.ts';
import { MONEY_GUARDS } from './money-guards.ts';
import { PAYEE_GUARDS } from './payee-guards.ts';
import { PERMISSION_GUARDS } from './permission-guards.ts';
import { RECONCILIATION_GUARDS } from './reconciliation-guards.ts';
import { DATABASE_GUARDS } from './database-guards.ts';
import { RIGHTS_GUARDS } from './rights-guards.ts';
import { SCHEDULE_GUARDS } from './schedule-guards.ts';
import { SENDING_GUARDS } from './sending-guards.ts';
import { SERVER_GUARDS } from './server-guards.ts';
import { SESSION_GUARDS } from './session-guards.ts';
import { MANUAL_OUTCOME_GUARDS } from './manual-outcome-guards.ts';
import { STOP_GUARDS } from './stop-guards.ts';
import { VIRTUAL_ACCOUNT_GUARDS } from './virtual-account-guards.ts';
import { TOKEN_GUARDS } from './token-guards.ts';
import { TAKEN_AWAY_GUARDS } from './taken-away-guards.ts';
import { USER_GUARDS } from './user-guards.ts';

/** Guards of authority and stops, as docs/security.md lists them. */
export const GUARDS: readonly Guard[] = [
  ...PERMISSION_GUARDS,
  ...USER_GUARDS,
  ...SESSION_GUARDS,
  ...TOKEN_GUARDS,
  ...ACCOUNT_GUARDS,
  ...CHANGE_GUARDS,
  ...TAKEN_AWAY_GUARDS,
  ...GOING_LIVE_GUARDS,
  ...FACTOR_GUARDS,
  ...DECIDING_GUARDS,
  ...BOOK_GUARDS,
  ...ERASURE_GUARDS,
  ...POLICY_GUARDS,
  ...CONTENT_GUARDS,
  ...COST_BOUND_GUARDS,
  ...PAYEE_GUARDS,
  ...DUPLICATE_GUARDS,
  ...STOP_GUARDS,
  ...MANUAL_OUTCOME_GUARDS,
  ...RIGHTS_GUARDS,
  ...DATABASE_GUARDS,
  ...BEGINNING_GUARDS,
  ...SENDING_GUARDS,
  ...FLOW_GUARDS,
  ...SERVER_GUARDS,
  ...ONBOARDING_GUARDS,
  ...NOTIFICATION_GUARDS,
  ...RECONCILIATION_GUARDS,
  ...VIRTUAL_ACCOUNT_GUARDS,
  ...SCHEDULE_GUARDS,
];

/** With the guards of the money and of the provider's limit. */
export const ALL_GUARDS: readonly Guard[] = [...GUARDS, ...MONEY_GUARDS, ...LIMIT_GUARDS];

/** The tables of the documents, which `npm run docs` writes. */
export const GUARD_TABLES = [
  { document: 'security.md', heading: 'Guards and their tests', guards: GUARDS },
  { document: 'exactly-once.md', heading: 'Guards and their tests', guards: MONEY_GUARDS },
  { document: 'exactly-once.md', heading: 'Guards of the limit', guards: LIMIT_GUARDS },
] as const;

const MARKS = readMarks();

/** A guard as a row of these tables, by column title. */
export function rowOf({ id, against, test, behind }: Guard): Record<string, string> {
  return {
    guard: id,
    'without it': against,
    where: MARKS.get(id)?.file ?? '',
    'the test that fails then': `${test.file}: ${test.name}`,
    'behind it': behind ?? '–',
  };
}
