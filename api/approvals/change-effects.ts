import type { ChangeKind } from '../../domain/approvals/change-kind.ts';
import type { ChangeSummary } from './change.ts';

/** What each kind of change does, in words: the same at the command line and in the console, which reads them without schemas. */

type Detail = ChangeSummary['detail'];

const EFFECTS: Readonly<Record<ChangeKind, (name: string, detail: Detail) => string>> = {
  grant_roles: (name, { roles }) => `${name} becomes ${listOf(roles)}`,
  remove_role: (name, { role }) => `${name} is no longer ${textOf(role)}`,
  enable_user: (name) => `${name} may sign in again`,
  disable_user: (name) => `${name} is disabled: nothing that they sign in by works any more`,
  invite_again: (name, { mail }) =>
    `${name} gets a new code to sign in${mail === undefined ? '' : `, by mail to ${textOf(mail)}`}`,
  set_mail: (name, { mail }) => `codes to sign in of ${name} go to ${textOf(mail)}, and none of before works any more`,
  set_accounts: (name, { accounts }) =>
    `${name} may use ${accounts === null ? 'all accounts' : `only ${listOf(accounts)}`}`,
  set_policy: () => 'a new approval policy',
  change_provider: (_name, { account, apiAddress, accessKey }) =>
    `account ${textOf(account)} belongs to the provider at ${textOf(apiAddress)}, with the access key whose SHA-256 is ${textOf(accessKey)}`,
  add_endpoint: (_name, { name, target }) => `notifications go to ${textOf(name)} (${textOf(target)})`,
  enable_endpoint: (_name, { name }) => `notifications go to ${textOf(name)} again`,
  disable_endpoint: (_name, { name }) => `notifications no longer go to ${textOf(name)}, until it is enabled`,
  remove_endpoint: (_name, { name }) => `notifications no longer go to ${textOf(name)}, which is removed`,
  go_live: (_name, { setUp }) =>
    `payrun goes live: from then on approvals count, and nothing by which anybody else could sign in before. It is set up with: ${listOf(setUp)}`,
  add_factor: (name, { factor }) =>
    `${name} has added ${factor === 'totp' ? 'an app that shows codes' : 'a passkey'}, which counts for decisions: ask them whether it is theirs`,
  erase_remark: (_name, { remark }) => `the comment ${textOf(remark)} is erased`,
  erase_run: (_name, { run }) =>
    `what run ${textOf(run)} has of those whom it paid is erased for good: names, accounts, references, files`,
  erase_case: (_name, { case: caseId }) =>
    `what case ${textOf(caseId)} has of its applicant is erased for good: values, documents, remarks`,
};

/** What the change does once it is in effect. Of a kind of a later version: all that is known of it, so that nothing is hidden. */
export function effectOfChange({ kind, user, detail }: Pick<ChangeSummary, 'kind' | 'user' | 'detail'>): string {
  const name = user?.name ?? 'a user';
  return Object.hasOwn(EFFECTS, kind)
    ? EFFECTS[kind as ChangeKind](name, detail)
    : `${kind} of ${user?.name ?? 'nobody in particular'}: ${textOf(detail)}`;
}

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
