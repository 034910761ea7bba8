import type { Guard } from './guard.ts';

const TOKEN_HASHES = 'test/store/token-hashes.services.ts';

/** Checks of the database functions: a valid token and a permission. */
export const PERMISSION_GUARDS: readonly Guard[] = [
  {
    id: 'may-assign-receipt',
    against: 'money is assigned without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'assign_receipt requires' },
  },
  {
    id: 'may-request-virtual-account',
    against: 'a virtual account is asked for without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'request_virtual_account requires' },
  },
  {
    id: 'may-propose-virtual-account',
    against: 'what became of a virtual account is proposed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'propose_virtual_account requires' },
  },
  {
    id: 'may-confirm-virtual-account',
    against: 'what became of a virtual account is confirmed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'confirm_virtual_account requires' },
  },
  {
    id: 'may-reject-virtual-account',
    against: 'what became of a virtual account is rejected without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'reject_virtual_account requires' },
  },
  {
    id: 'may-erase-remark',
    against: 'a remark is erased without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'erase_remark requires' },
  },
  {
    id: 'may-propose-change',
    against: 'a change of users, policy or provider is proposed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'propose_change requires' },
  },
  {
    id: 'may-decide-change',
    against: 'a change is confirmed or rejected without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'decide_change to confirm requires' },
  },
  {
    id: 'may-add-user',
    against: 'a user is added without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'add_user requires' },
  },
  {
    id: 'may-remove-role',
    against: 'a role is removed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'remove_role requires' },
  },
  {
    id: 'may-disable-user',
    against: 'a user is disabled without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'disable_user requires' },
  },
  {
    id: 'may-limit-user',
    against: 'a user is limited to accounts, or freed from a limit, without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'limit_user requires' },
  },
  {
    id: 'may-issue-token',
    against: 'a token is made without a valid token',
    without: '',
    test: { file: TOKEN_HASHES, name: 'issue_token requires' },
  },
  {
    id: 'may-revoke-token',
    against: 'a token is revoked without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'revoke_token requires' },
  },
  {
    id: 'may-invite-user',
    against: 'a user is invited without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'invite_user requires' },
  },
  {
    id: 'may-add-run',
    against: 'a run is submitted without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'add_run requires' },
  },
  {
    id: 'may-decide-run',
    against: 'a run is approved or rejected without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'decide_run requires' },
  },
  {
    id: 'may-withdraw-run',
    against: 'a run is withdrawn without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'withdraw_run requires' },
  },
  {
    id: 'may-release-row',
    against: 'a suspected duplicate is released without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'release_row requires' },
  },
  {
    id: 'may-stop-payments',
    against: 'payments are stopped without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'stop_payments requires' },
  },
  {
    id: 'may-lift-stop',
    against: 'the lifting of a stop is requested without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'lift_stop requires' },
  },
  {
    id: 'may-cancel-run',
    against: 'a run is cancelled without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'cancel_run requires' },
  },
  {
    id: 'may-propose-manual-outcome',
    against: 'a manual outcome is proposed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'propose_manual_outcome requires' },
  },
  {
    id: 'may-confirm-manual-outcome',
    against: 'a manual outcome is confirmed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'confirm_manual_outcome requires' },
  },
  {
    id: 'may-reject-manual-outcome',
    against: 'a proposed manual outcome is rejected without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'reject_manual_outcome requires' },
  },
  {
    id: 'may-note-refused-file',
    against: 'a refused file is recorded by someone who may not submit files',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'note_refused_file requires' },
  },
  {
    id: 'may-add-endpoint',
    against: 'an endpoint of notifications is proposed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'add_endpoint requires' },
  },
  {
    id: 'may-retry-delivery',
    against: 'a notification is sent again without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'retry_delivery requires' },
  },
  {
    id: 'may-end-endpoint',
    against: 'propose_end_of_endpoint is called without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'propose_end_of_endpoint requires' },
  },
  {
    id: 'may-enable-endpoint',
    against: 'enable_endpoint is called without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'enable_endpoint requires' },
  },
  {
    id: 'may-rotate-endpoint-secret',
    against: 'rotate_endpoint_secret is called without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'rotate_endpoint_secret requires' },
  },
  {
    id: 'may-test-endpoint',
    against: 'test_endpoint is called without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'test_endpoint requires' },
  },
];
