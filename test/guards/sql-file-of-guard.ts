import { readdirSync, readFileSync } from 'node:fs';
import { type Guard, MIGRATIONS } from './guard.ts';

const STORE = new URL('../../store/', import.meta.url);

/** Those whose text stands in several files. */
const FILES: Readonly<Record<string, string>> = {
  'may-issue-token': 'users/tokens.sql',
  'administrators-apart': 'users/users.sql',
  'no-token-meanwhile': 'users/invitations.sql',
  'one-code': 'users/invitations.sql',
  'code-once': 'users/invitations.sql',
  'code-expires': 'users/invitations.sql',
  'code-of-disabled': 'users/invitations.sql',
  'code-hashed': 'users/invitations.sql',
  'token-ends': 'users/tokens.sql',
  'token-revoked-while-it-makes-one': 'users/tokens.sql',
  'link-once': 'users/sign-in.sql',
  'decided-while-open': 'approvals/run-decisions.sql',
  'released-before-approval': 'runs/row-releases.sql',
  'settled-while-open': 'payments/resolutions.sql',
  'case-of-other-account-hidden': 'onboarding/cases.sql',
  'schedule-of-account': 'treasury/schedules.sql',
};

const TEXTS = new Map(
  readdirSync(STORE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => [file, readFileSync(new URL(file, STORE), 'utf8')]),
);

/** A guard in a function of the database, at the place that the function has now. */
export function inItsFile(guard: Guard): Guard {
  if (!guard.file.startsWith(MIGRATIONS)) return guard;
  const text = guard.text
    .replace(/^create trigger/, 'create or replace trigger')
    .replace(/^create function/, 'create or replace function');
  const hit = [...TEXTS].find(([, sql]) => sql.includes(text));
  const file = FILES[guard.id] ?? hit?.[0] ?? guard.file;
  const without = guard.without.replace(/^create function/, 'create or replace function');
  return { ...guard, file: `store/${file}`, text, without };
}
