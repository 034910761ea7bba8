import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of the database functions: a valid token and a permission. */

const PROOFS = 'test/store/proofs.services.ts';
const NOTHING = 'v_refusal := null;';

function asks(of: { name: string; what: string; file: string; text: string; without?: string }): Guard {
  const { name, what, file, text, without = NOTHING } = of;
  const id = `may-${(name.split(' ')[0] ?? '').replaceAll('_', '-')}`;
  return {
    id,
    against: what,
    file: `${MIGRATIONS}/${file}`,
    text,
    without,
    test: { file: PROOFS, name: `${name} requires` },
  };
}

function objection(permission: string, run: string, what: string): string {
  return `v_refusal := objection_to(me.user_id, me.token_id, '${permission}', ${run}, ${what});`;
}

/** In a function that only checks. */
function checked(permission: string, run: string, what: string): string {
  return `v_refusal := objection_to(p_user, p_token, '${permission}', ${run}, ${what});`;
}

export const PERMISSION_GUARDS: readonly Guard[] = [
  asks({
    name: 'assign_receipt',
    what: 'money is assigned without the permission',
    file: '0041_accounts.sql',
    text: objection('assign_receipt', 'null', `'assign_receipt'`),
  }),
  asks({
    name: 'request_virtual_account',
    what: 'a virtual account is asked for without the permission',
    file: '0041_accounts.sql',
    text: objection('request_virtual_account', 'null', `'request_virtual_account'`),
  }),
  asks({
    name: 'propose_virtual_account',
    what: 'what became of a virtual account is proposed without the permission',
    file: '0041_accounts.sql',
    text: `v_refusal := virtual_objection_to(me.user_id, me.token_id, 'request_virtual_account', p_virtual_account, 'propose_virtual_account');`,
  }),
  asks({
    name: 'confirm_virtual_account',
    what: 'what became of a virtual account is confirmed without the permission',
    file: '0054_sign-in-under-attack.sql',
    text: `v_refusal := virtual_objection_to(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'confirm_virtual_account');`,
  }),
  asks({
    name: 'deny_virtual_account',
    what: 'what became of a virtual account is denied without the permission',
    file: '0041_accounts.sql',
    text: `v_refusal := virtual_objection_to(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'deny_virtual_account');`,
  }),
  asks({
    name: 'erase_remark',
    what: 'a remark is erased without the permission',
    file: '0028_decisions-by-account.sql',
    text: objection('erase_remark', 'v_run', `'erase_remark'`),
  }),
  asks({
    name: 'propose_change',
    what: 'a change of users, policy or provider is proposed without the permission',
    file: '0075_invitations-that-end.sql',
    text: objection('manage_users', 'null', 'p_kind'),
  }),
  asks({
    name: 'decide_change to confirm',
    what: 'a change is confirmed or rejected without the permission',
    file: '0048_sign-in-in-order.sql',
    text: `v_refusal := objection_to(me.user_id, me.token_id,
    case when p_confirm then 'confirm_change' else 'object_to_change' end, null, 'decide_change');`,
  }),
  asks({
    name: 'add_user',
    what: 'a user is added without the permission',
    file: '0008_changes.sql',
    text: objection('manage_users', 'null', `'add_user'`),
  }),
  asks({
    name: 'remove_role',
    what: 'a role is removed without the permission',
    file: '0075_invitations-that-end.sql',
    text: objection('manage_users', 'null', `'remove_role'`),
  }),
  asks({
    name: 'disable_user',
    what: 'a user is disabled without the permission',
    file: '0075_invitations-that-end.sql',
    text: objection('manage_users', 'null', `'disable_user'`),
  }),
  asks({
    name: 'limit_user',
    what: 'a user is limited to accounts, or freed from a limit, without the permission',
    file: '0075_invitations-that-end.sql',
    text: objection('manage_users', 'null', `'limit_user'`),
  }),
  asks({
    name: 'issue_token',
    what: 'a token is made without a valid token',
    file: '0054_sign-in-under-attack.sql',
    text: `if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;`,
    without: '',
  }),
  asks({
    name: 'revoke_token',
    what: 'a token is revoked without the permission',
    file: '0054_sign-in-under-attack.sql',
    text: objection('manage_users', 'null', `'revoke_token'`),
  }),
  asks({
    name: 'invite_user',
    what: 'a user is invited without the permission',
    file: '0075_invitations-that-end.sql',
    text: objection('manage_users', 'null', `'invite_user'`),
  }),
  asks({
    name: 'add_run',
    what: 'a run is submitted without the permission',
    file: '0028_decisions-by-account.sql',
    text: objection('submit_run', 'null', `'submit_run'`),
  }),
  asks({
    name: 'decide_run',
    what: 'a run is approved or rejected without the permission',
    file: '0044_console.sql',
    text: checked('decide_run', 'p_run', 'p_decision'),
  }),
  asks({
    name: 'withdraw_run',
    what: 'a run is withdrawn without the permission',
    file: '0044_console.sql',
    text: checked('submit_run', 'p_run', `'withdraw_run'`),
  }),
  asks({
    name: 'release_row',
    what: 'a suspected duplicate is released without the permission',
    file: '0048_sign-in-in-order.sql',
    text: objection('decide_run', 'v_run.run_id', `'release_row'`),
  }),
  asks({
    name: 'stop_payments',
    what: 'payments are stopped without the permission',
    file: '0028_decisions-by-account.sql',
    text: objection('stop_payments', 'p_run', `'stop_' || p_scope`),
  }),
  asks({
    name: 'lift_stop',
    what: 'the lifting of a stop is requested without the permission',
    file: '0028_decisions-by-account.sql',
    text: objection('lift_stop', 'v.run_id', `'lift_stop'`),
  }),
  asks({
    name: 'cancel_run',
    what: 'a run is cancelled without the permission',
    file: '0044_console.sql',
    text: checked('lift_stop', 'p_run', `'cancel_run'`),
  }),
  asks({
    name: 'propose_resolution',
    what: 'a resolution is proposed without the permission',
    file: '0014_resolutions-in-the-record.sql',
    text: objection('propose_resolution', 'v_payment.run_id', `'propose_resolution'`),
  }),
  asks({
    name: 'confirm_resolution',
    what: 'a resolution is confirmed without the permission',
    file: '0048_sign-in-in-order.sql',
    text: objection('decide_run', 'v.run_id', `'confirm_resolution'`),
  }),
  asks({
    name: 'deny_resolution',
    what: 'a proposed resolution is denied without the permission',
    file: '0014_resolutions-in-the-record.sql',
    text: objection('propose_resolution', 'v.run_id', `'deny_resolution'`),
  }),
  asks({
    name: 'note_refused_file',
    what: 'a refused file is recorded by someone who may not submit files',
    file: '0016_what-no-login-writes.sql',
    text: objection('submit_run', 'null', `'note_refused_file'`),
  }),
  asks({
    name: 'add_endpoint',
    what: 'an endpoint of notifications is proposed without the permission',
    file: '0034_notifications.sql',
    text: objection('manage_users', 'null', `'add_endpoint'`),
  }),
  asks({
    name: 'retry_delivery',
    what: 'a notification is sent again without the permission',
    file: '0034_notifications.sql',
    text: objection('manage_users', 'null', `'retry_delivery'`),
  }),
  ...['disable_endpoint', 'enable_endpoint', 'rotate_endpoint_secret', 'remove_endpoint', 'test_endpoint'].map((name) =>
    asks({
      name,
      what: `${name} is called without the permission`,
      file: name === 'enable_endpoint' ? '0053_schedules-and-deliveries.sql' : '0034_notifications.sql',
      text: `v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, '${name}');`,
    }),
  ),
];
