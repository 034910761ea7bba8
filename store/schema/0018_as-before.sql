-- What migrations from before the first release left behind: removed by the next commit.
create table record_upgrades (
  name text primary key,
  done_at timestamptz not null default clock_timestamp()
);
comment on column users.role is 'of the version before; roles are in user_roles';
alter table users drop constraint login_form, add constraint login_form check (login ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$') not valid;
alter table users rename constraint users_created_at_not_null to people_created_at_not_null;
alter table users rename constraint users_name_key to people_name_key;
alter table users rename constraint users_name_not_null to people_name_not_null;
alter table users rename constraint users_pkey to people_pkey;
alter table users rename constraint users_role_check to people_role_check;
alter table users rename constraint users_user_id_not_null to people_user_id_not_null;
alter table changes drop constraint changes_kind_check, add constraint changes_kind_check check (kind in ('grant_roles', 'enable_user',
  'invite_again', 'set_policy', 'change_provider', 'set_accounts', 'add_endpoint')) not valid;
alter table payments rename constraint payments_notification_pending_not_null to payments_untold_not_null;
alter table balance_snapshots rename constraint balance_snapshots_account_not_null to held_balances_account_not_null;
alter table balance_snapshots rename constraint balance_snapshots_amount_not_null to held_balances_amount_not_null;
alter table balance_snapshots rename constraint balance_snapshots_currency_not_null to held_balances_currency_not_null;
alter table balance_snapshots rename constraint balance_snapshots_pkey to held_balances_pkey;
alter table balance_snapshots rename constraint balance_snapshots_read_at_not_null to held_balances_read_at_not_null;
