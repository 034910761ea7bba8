/**
 * What functions of the database are for, where the comment above their text in the migration is missing or says only how
 * they work.
 */
export const FUNCTION_PURPOSES: Readonly<Record<string, string>> = {
  add_case:
    'Adds a case with what was supplied first, in the name of an onboarder, or says that the account has a case of this reference. ' +
    'A mail address that another case of the account has is refused.',
  add_case_document: 'Adds a file to the revision that is added in the same transaction; never to an earlier one.',
  add_endpoint:
    'Adds an endpoint of notifications with its sealed secret, in the name of an administrator. It is a change: nothing is sent to it until it is effective.',
  add_schedule:
    'Adds a schedule of conversions with its first version, in the name of a treasurer. It places nothing until another person ' +
    'confirms the version.',
  add_user: 'Adds a user. Roles that decide on nothing are theirs at once; deciding roles are a change.',
  add_version: 'Adds a version to a schedule. One that nobody has decided on is superseded.',
  administrators_hold_no_other_role: 'An administrator has no other role.',
  after_removal:
    'After a user was disabled or lost a role: rejects what they proposed if they may no longer propose it, and makes the ' +
    'pending changes of the administrator who did it wait for a second administrator.',
  apply_due_changes:
    'Makes changes effective whose time has come. Called before anything is decided by roles, and by servers every minute.',
  assign_break: 'Says who finds out about a break.',
  assign_receipt:
    'A treasurer says what money is that nothing explains: that of a refund of the same amount, whose payment is then returned, or ' +
    'something that payrun does not know.',
  audit_epoch: 'Numbers the entries of the audit trail: the epoch stays open until the transaction ends.',
  account_of_target:
    'The account of what an action is about, if the user may use it; nothing for what does not exist for this user.',
  allowed_action:
    'Asks for one action and undoes what it did, the entries of the audit trail among it. Null if it is allowed, else the refusal.',
  allowed_actions:
    'For each action of a resource: null when the user may do it now, else the refusal. The functions that act answer, and ' +
    'everything they did is undone. Empty: there is no such resource for this user.',
  answer_to_action:
    'What a resource would answer to an action of a user. Only `allowed_action` calls it, which undoes it.',
  begin_change:
    'Records a proposed change and when it takes effect by itself. Until the first run is approved, it is effective at once.',
  begin_conversion_creation:
    'Commits the money of a quoted order, counts it against the daily cap, and records the intent to create the conversion, if people have allowed it and nothing else speaks against it. Else it says what does.',
  begin_conversion_funding:
    'Records the intent to fund a created conversion: if no earlier request may have taken effect, and at most twice unless two people have said again.',
  begin_conversion_quote: 'Records the intent to ask for a quote of an approved order.',
  begin_occurrence:
    'Records for a worker that an occurrence of a schedule begins, by the version in force. False: it was begun before, or the schedule is not active.',
  cancel_run:
    'Ends a stopped run. Rows that the provider does not have become `cancelled`; those that it has unfunded become `unknown`.',
  cancel_unsent:
    'Ends the rows of a cancelled run that have no open request, and returns their number. A row that the provider may have ' +
    'becomes `unknown`.',
  case_objection_to:
    'Null if the user has the permission and may use the account of the case; else the refusal, which is then in the audit ' +
    'trail. A case of another account is refused as if it did not exist.',
  change_facts: 'What a notification says of a change, as JSON: kind, state, and the names of the users.',
  change_state: 'The state of a change, and when it takes effect, as JSON.',
  conclude_conversion_resolution:
    'Lets what two people have said of an order take effect, unless the provider shows otherwise.',
  conclude_resolution_as_told: 'As `conclude_conversion_resolution`, whatever amounts the provider shows.',
  confirm_case_resolution: 'Another person confirms what became of a sign-up; a worker then acts on it.',
  confirm_conversion_resolution: 'Another person confirms what became of an order; a worker then reads it again.',
  conversion_amounts_shown: 'The amounts of an order as the provider shows them; what it does not show, as quoted.',
  confirm_virtual_account:
    'Another person than who proposed it confirms what became of a virtual account, which then has this state, and its number if it is approved.',
  confirm_resolution:
    "A checker confirms how an unknown row ended: neither who proposed it nor the run's maker. The worker asks the provider " +
    'before the row changes.',
  confirmed_definition:
    'The definition of a version of a schedule, if another person than who proposed it has confirmed exactly this text; else null.',
  conversion_is_scheduled:
    'Whether a schedule that two people have confirmed allows exactly this order with this total. While it is paused, none that the provider does not have.',
  conversion_objection_to:
    'Null if the user has the permission and may use the account of the order, which is then locked; else the refusal, which is then in the audit trail. An order of another account is refused as if it did not exist.',
  conversions_to_credit: 'How many conversions may still be credited with an amount.',
  could_be_objected_to:
    'Whether somebody could object to a change all the time: with a role and a valid token from before it, and neither who ' +
    'proposed it nor who gains by it.',
  count_rows: 'Keeps the number of rows of a run in each state (`run_counts`).',
  count_span: 'The current span of 5 seconds, by which changes of rows are counted.',
  current_policy: 'The approval policy in force: the latest one.',
  decide_change:
    'Confirms or rejects a change. Another administrator confirms, who neither proposed it nor gains by it; every ' +
    'administrator and checker may reject it.',
  decide_schedule:
    'Confirms or rejects a proposed version of a schedule, by its hash. Whoever proposed it may only reject it.',
  decides: 'Whether the user has a deciding role.',
  delete_schedule: 'Deletes a schedule for good, in the name of a treasurer. Its versions and occurrences are kept.',
  deny_case_resolution: 'Denies what was proposed about a sign-up; who proposed it may withdraw it.',
  deny_conversion_resolution: 'Denies what was proposed about an order; who proposed it may take it back.',
  deny_virtual_account: 'Denies what was proposed about a virtual account; who proposed it may withdraw it.',
  deny_resolution: 'Denies a proposed resolution: a checker, or who proposed it.',
  disable_endpoint: 'An administrator disables an endpoint. What was not delivered is kept with it.',
  disable_user: 'Disables a user other than oneself, and ends all their tokens and codes.',
  edit_schedule:
    'Proposes another version of a schedule, in the name of a treasurer. The version in force stays so until the new one is confirmed.',
  enable_endpoint:
    'An administrator enables a disabled endpoint, which gets what happened in the last seven days as well.',
  end_occurrence: 'Records for a worker how an occurrence ended, and pauses its schedule if there is a reason.',
  end_sign_ins: 'Ends all tokens and codes of a user. Waits for a token that is being created for them.',
  endpoint_objection_to:
    'Null if the user may manage endpoints and there is this one, which is then locked; else the refusal.',
  enqueue_notification: 'Puts a fact into the outbox. It never fails, and waits for no other transaction.',
  erase_case: 'An administrator destroys the key and the sealed data of an ended case, after its retention time.',
  erase_remark: 'Erases the text of a remark. Its hash stays in the audit trail.',
  fill_in_proof: 'Fills in the hash of the proof for tokens that the version before creates.',
  fold_counts: 'Adds up the counts of a run, so that there are few. Skips those that another transaction has locked.',
  give_up_endpoint:
    'Disables an endpoint for a worker: nothing was delivered for five days, or its receiver answered 410.',
  grant_role: 'Gives a user a role.',
  invite_user:
    'Creates an invitation code. At once for a user without a deciding role who never had a token; for others after a ' +
    'second administrator has confirmed it.',
  is_deciding: 'Whether a role decides on something: granting it takes two administrators.',
  is_setting_up: 'Whether no run was ever approved. Until then one administrator may set up alone.',
  is_stopped: 'Whether a stop of everything, of the account or of the run is in force.',
  is_time_of: 'Whether a date and one of the times of the day of a schedule belong to an instant.',
  issue_token: 'Creates a further token for the user who asks.',
  keep_amounts_of_resolution: 'Keeps the amounts that an order had when people said what became of it.',
  keep_remark: "Stores a person's text with a salted hash, and returns its id; null without a text.",
  known_accounts: 'The accounts with the provider that have a run or a worker.',
  ledger_account_of: 'The ledger account of an attempt to pay a row.',
  last_funding_of:
    'Until when a funding must have begun whose debit the entry may be: dates may be days, or times without a zone.',
  ledger_amount: 'What a ledger account holds in a currency; without one, nothing.',
  lift_stop:
    'The first call, by a maker or checker, requests it; the second, by another user who is a checker, lifts the stop. No ' +
    'maker of a run that would go on lifts it.',
  lift_stop_as_seen: 'As `lift_stop`, unless somebody has asked for it, or taken that back, since the user looked.',
  limit_user:
    'Limits a user to some accounts, or to none in particular (null). Fewer accounts are in force at once; more accounts of a ' +
    'user with a deciding role are a change.',
  make_effective: 'Makes a pending change effective. Without a user: its time has come, or payrun is being set up.',
  may_have_been_created:
    'Whether the provider may have a payment under the reference of an attempt: the outcome of its creation is open, or the ' +
    'answer was that the reference is taken.',
  may_move_case: 'Whether a case may go from one state to another, as in [States](states.md#onboarding-cases).',
  may_move_conversion:
    'Whether an order may go from one state to another, as in [States](states.md#orders-to-convert).',
  may_move_payment: 'Whether a payment may go from one state to another, as in [States](states.md#payments).',
  may_move_run: 'Whether a run may go from one state to another, as in [States](states.md#runs).',
  merge_steps:
    'The steps of several rules together, each as often as the rule that requires it most often. Steps that the fewest ' +
    'people may take come first.',
  most_taken: 'How many of the given steps (at most ten) can be taken, each by another person.',
  move_schedule: 'Puts a schedule into a state, with the reason.',
  note: 'Writes an entry into the audit trail.',
  guard_account_request:
    'The outcome of a request for a virtual account is written once; requests and answers are in the audit trail.',
  guard_virtual_account:
    'A virtual account moves as `may_move_virtual_account` allows, and keeps its request and its number; each move is in the audit trail.',
  may_move_virtual_account: 'Whether a virtual account may go from one state to another.',
  note_receipt:
    'Every increase of a balance that gets its place in the history is a receipt, which something explains, or nothing.',
  note_request:
    'Adds the id of the HTTP request to an entry of the audit trail that is made within one, so that the entry leads to the log.',
  note_refused_file: 'Records a payment file that was refused, for which no run is created.',
  note_short_run: 'Notes what a run lacks, so that money that becomes free is reserved for it.',
  objection_to:
    'Null if the user has the permission and may use the account of the run, if one is given; else the refusal, which is ' +
    'then in the audit trail. A run of another account is refused as if it did not exist.',
  only_as_it_says:
    "A new row is `ready` or `invalid`, and has its run's account and the amount and currencies of its instruction: the " +
    'policy judges a run by them.',
  only_with_their_run: 'Rows and files are added in the same transaction as their run, never later.',
  paid_to_account: 'Rows by which money was sent to a bank account, also those that name the beneficiary by its id.',
  paid_to_beneficiary: "Rows by which money was sent to a beneficiary with this id of the provider's.",
  paid_under_name: 'Rows by which money was sent under a name, also those that name the beneficiary by its id.',
  pause_after_unknown: 'Pauses the schedule of an order whose outcome is unknown.',
  pause_by_payrun: 'Pauses an active schedule for a reason of payrun.',
  pause_schedule: 'Pauses an active schedule, in the name of a person who decides on conversions.',
  place_conversion:
    'Places an order in the name of a treasurer, or says that it is placed already. Refused while another one of the same two currencies is open.',
  place_scheduled_order:
    'Places an order of an open occurrence, or records why not. An order that its schedule does not allow is an error; one that was started by hand and fixes the amount waits for an approval.',
  propose_case_resolution:
    'An onboarder says what became of a sign-up with an unknown outcome. One proposal of a case is open at a time.',
  propose_change: 'An administrator proposes a change of roles, users, policy or provider.',
  propose_conversion_resolution:
    'A treasurer says what became of an order, or that its conversion is to be funded. One proposal of an order is open at a time.',
  propose_resolution: 'A maker or checker proposes how an unknown row ended. One proposal of a row is open at a time.',
  record_missed_occurrence:
    'Records an occurrence of a schedule that nothing has started within its window, and only after it. False: it is on record.',
  record_late_refunds: 'Notifies people, once, of each refund whose money has not arrived for five days.',
  record_shortages:
    'Records which currencies of an account will not last by the cash view, and notifies people of what is new.',
  redeem_invitation: 'Exchanges a code that was not used and has not expired for a token.',
  propose_virtual_account:
    'A treasurer says what became of a pending or unknown virtual account, with a reason; it changes nothing before another person confirms it.',
  request_virtual_account: 'Records that a treasurer asks for a virtual account. A worker sends the request, once.',
  refuse_change: 'The audit trail and its seals are append-only.',
  refuse_change_of_content: 'The content of a row does not change. A missing hash may be filled in.',
  refuse_change_of_conversion_decision: 'What people decided on an order does not change.',
  refuse_change_of_entry: 'Entries of the provider’s history are never changed or removed.',
  refuse_change_of_record: 'Approvals, frozen rows, confirmations and releases are append-only.',
  refuse_change_of_transfer: 'Transfers of the ledger are never changed or removed.',
  refuse_change_of_refund: 'What the provider has shown of a refund, and its receipt, do not change.',
  refuse_change_of_version: 'Versions of schedules are decided on once, and never changed or removed.',
  refuse_decision: 'Records that a decision was refused, and returns the refusal.',
  refuse_early_end: 'A run that is being checked or waits for a decision has no end time.',
  refuse_entry_of_others:
    'A worker and a server write only their own kinds of entries into the audit trail (`store/audit/audit-kinds.ts`).',
  refuse_illegal_case:
    'A case changes its state only as `may_move_case` allows, and keeps its user. Only people withdraw, erase and reopen, and only ' +
    'two of them say that a sign-up never took effect.',
  refuse_illegal_conversion:
    'Whatever login writes: an order keeps its terms and its conversion, moves as the table says, and a process makes no decision of people.',
  refuse_illegal_move: 'A payment changes its state only as `may_move_payment` allows.',
  refuse_illegal_run_move: 'A run changes its state only as `may_move_run` allows.',
  refuse_other_beneficiary: 'What the provider has shown of a beneficiary does not change.',
  refuse_other_outcome: 'The outcome of a request is written once.',
  refuse_return_without_money:
    'A payment is `returned` only once what was credited of its refunds is as much as it sold.',
  refused: 'A refusal, as JSON: its code and message.',
  reject_change: 'Marks a change as rejected.',
  release_ended_payments:
    'After rows were moved: what is committed to those that are not to be funded any more goes back.',
  release_row:
    'A checker, who is not the maker, releases a suspected duplicate. Earlier approvals of the run are of other content and ' +
    'no longer count.',
  release_unused_conversion: 'Frees the money of an order that comes to nothing, and takes it out of the daily cap.',
  remark_note: 'What the audit trail holds of a remark: its id and its hash.',
  remove_endpoint:
    'An administrator removes an endpoint with its secrets and address. Undelivered notifications are dropped.',
  remove_role: 'Removes a role of a user at once.',
  reopen_refused_case:
    'Has the refused sign-up of a case tried again: the case is a draft again, and the refused request no longer counts. False if ' +
    'another case has the mail address by now.',
  reserve_approved_run: 'Reserves what is free for a run that was approved, in every currency of its rows.',
  resume_schedule: 'Resumes a paused schedule, in the name of a treasurer.',
  resume_sign_ups:
    'An onboarder lets the sign-ups of an account go on that were paused after many refusals with the same answer; on request, those that were ' +
    'refused so are tried again.',
  retention_days:
    'Days for which the data of a case is kept after its end: five years if it was approved or rejected, unless the policy ' +
    'says otherwise.',
  retry_delivery: 'An administrator has a notification sent again to an enabled endpoint, with the same id.',
  return_reserved: 'What is still reserved for a run that has ended is free again.',
  revoke_token: "Ends a token: one's own, or as an administrator anyone's.",
  role_may: 'Whether a role has a permission. The table is that of `domain/users/role.ts`.',
  rotate_endpoint_secret:
    'An administrator gives a webhook a new secret. The former one signs as well for a day; one before it no longer does.',
  run_content: 'The rows of a run that would be paid, as an approval covers them.',
  run_content_hash: 'The content hash: SHA-256 over every row to be paid, in the order of the file.',
  satisfies_step: 'Whether a user may take a step of the policy, by role or login.',
  schedule_allows: 'Whether an order has the account, the currencies, the side and the limits of a schedule.',
  schedule_objection_to:
    'Null if the user has the permission and may use the account of the schedule, which is then locked; else the refusal. A schedule of another account is refused as if it did not exist.',
  seal_audit:
    'Continues the hash chain of the audit trail over the entries that are committed, and returns how many it sealed: none ' +
    'while another process does.',
  session_of: 'The user and the token of a proof; null if the token is not valid or the user is disabled.',
  set_accounts: 'Sets the accounts that a user may use; JSON null means all.',
  settle_ledger:
    'After every read of the history. A payment or conversion that ended an hour before the read, and whose debit is not in a complete history: that has another form, and was taken from the free money, or there was none. Then what is free is reserved for runs.',
  start_occurrence:
    'Starts an occurrence by hand, in the name of a treasurer: now, or for a past date of a fixed amount that was missed.',
  steps_for:
    'The steps that the policy requires: each currency is judged by the first rule that matches it. Null: no rule matches ' +
    'some currency, so the run cannot be approved.',
  stop_at_start: 'Stops everything, as the owner of the database: for `payrun up --paused`, and after a restore.',
  stop_counts: 'The rows of a run by what a stop means for them: sent, unfunded at the provider, not sent, under way.',
  stop_payments:
    'Stops a run, an account or everything: a maker, checker or administrator who may use all that it stops.',
  supply_case:
    'An onboarder gives new values and files to a case that waits for them; it is then prepared again. Refused when somebody ' +
    'else has supplied something since the revision that was seen.',
  tell_of_entries:
    'Puts audit entries that people are notified of into the outbox (`domain/notifications/notification-types.ts`).',
  tell_of_rows: 'Puts runs into the outbox in which rows came into a state that people are notified of.',
  test_endpoint: 'An administrator has a test sent to an enabled endpoint.',
  transfer_money:
    'Makes one transfer of the ledger. Whoever calls it holds the lock of the currency, its row in `balance_chains`.',
  user_may:
    'Whether a user who is not disabled has a permission by a role. Users, policy and provider are only for administrators ' +
    'who are not limited to accounts.',
  user_may_use: 'Whether a user may use an account; without an account: all of them.',
  verify_ledger:
    'At the end of every transaction that changed either: what the ledger holds is the balance by the history.',
  void_resolutions: 'Ends the open proposal of a row that is no longer unknown.',
  wait_for_confirmation: 'From now on only a second administrator makes the change effective.',
  withdraw_case: 'An onboarder ends a case that waits for them, or was not begun.',
  withdraw_run:
    'The maker withdraws a run before it is decided: nothing of it is paid, and its rows may be submitted again.',
  add_passkey: 'Adds a passkey of the user, for a challenge that was made for it in the same session.',
  approvals_need_second_factor: 'Whether the policy asks for a second factor at every approval.',
  base64url_bytes: 'The bytes of a text in base64url.',
  confirm_totp:
    'Confirms an authenticator app by a code of it, in the session that has set it up; it replaces the one before.',
  end_sessions_of_role: 'Ends the sessions of a user who loses a role.',
  forget_tries: 'Forgets failed tries, after one that was right.',
  has_second_factor: 'Whether the user has a passkey or a confirmed authenticator app.',
  number_of_bytes: 'The number that bytes are, the most significant one first.',
  record_conversion_decision:
    'Approves, declines or releases an order of somebody else, or withdraws one of one’s own: exactly the terms with the given hash. Only `decide_conversion` calls it.',
  record_run_decision:
    'Approves or rejects the content with the given hash. The maker of a run cannot decide on it; each step of the policy is taken by another person. The last approval freezes the content and starts the run. Only `decide_run` calls it.',
  refused_until: 'The refusal of a try that comes too early.',
  remove_identity: 'Disconnects the sign-in of the company from the user.',
  remove_passkey: 'Removes a passkey of the user.',
  remove_totp: 'Removes the authenticator app of the user.',
};
