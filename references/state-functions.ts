import { VIRTUAL_ACCOUNT_STATE_TABLE } from '../domain/accounts/virtual-account-state.ts';
import { DELIVERY_STATE_TABLE } from '../domain/notifications/delivery-state.ts';
import { CASE_STATE_TABLE } from '../domain/onboarding/case-state-table.ts';
import { ANSWER_TABLE, PAYMENT_OPERATION_TABLE, REQUEST_OUTCOME_TABLE } from '../domain/payments/request-result.ts';
import { PAYMENT_STATE_TABLE } from '../domain/payments/payment-state-table.ts';
import { MANUAL_OUTCOME_STATE_TABLE } from '../domain/payments/manual-outcome-state.ts';
import { BREAK_STATE_TABLE } from '../domain/reconciliation/break-state.ts';
import { RUN_STATE_TABLE } from '../domain/runs/run-state-table.ts';
import { statesWhere } from '../domain/state-table.ts';
import { CONVERSION_STATE_TABLE } from '../domain/treasury/conversion-state-table.ts';

/**
 * What the functions of the database ask of a state, from the tables of the domain: a function for each question, which the
 * planner inlines, and which transitions are allowed.
 */

interface StateFunction {
  name: string;
  comment: string;
  /** SQL from the name on. */
  text: string;
}

/** The files, by their paths from the root of the project. */
export const STATE_FUNCTION_FILES: Readonly<Record<string, () => string>> = {
  'store/payments/payment-states.sql': () => fileOf('domain/payments/payment-state-table.ts', paymentFunctions()),
  'store/payments/request-results.sql': () => fileOf('domain/payments/request-result.ts', requestFunctions()),
  'store/payments/manual-outcome-states.sql': () =>
    fileOf('domain/payments/manual-outcome-state.ts', manualOutcomeFunctions()),
  'store/runs/run-states.sql': () => fileOf('domain/runs/run-state-table.ts', runFunctions()),
  'store/treasury/conversion-states.sql': () =>
    fileOf('domain/treasury/conversion-state-table.ts', conversionFunctions()),
  'store/onboarding/case-states.sql': () => fileOf('domain/onboarding/case-state-table.ts', caseFunctions()),
  'store/accounts/virtual-account-states.sql': () =>
    fileOf('domain/accounts/virtual-account-state.ts', virtualAccountFunctions()),
  'store/reconciliation/break-states.sql': () => fileOf('domain/reconciliation/break-state.ts', breakFunctions()),
  'store/notifications/delivery-states.sql': () =>
    fileOf('domain/notifications/delivery-state.ts', deliveryFunctions()),
};

function paymentFunctions(): StateFunction[] {
  const is = questionsOf('payment', PAYMENT_STATE_TABLE);
  return [
    transitions('payment', PAYMENT_STATE_TABLE),
    is('is_on_hold', 'A person has to act.', ({ stage }) => stage === 'on_hold'),
    is('is_uncreated', 'To be sent, and not known to be created.', ({ stage }) => stage === 'uncreated'),
    is('is_unfunded', 'Created, and no money was taken for it.', ({ stage }) => stage === 'unfunded'),
    is(
      'is_pending',
      'To be created or funded: what it costs is reserved for its run.',
      ({ stage }) => stage === 'uncreated' || stage === 'unfunded',
    ),
    is(
      'is_unsent',
      'Neither funded nor ended: the end of its run ends it.',
      ({ stage }) => stage === 'on_hold' || stage === 'uncreated' || stage === 'unfunded',
    ),
    is('is_in_flight', 'Funded, and not known to have ended.', ({ stage }) => stage === 'in_flight'),
    is('is_initial', 'A row may be added with it.', ({ row }) => row.isInitial),
    is('needs_approval', 'Only a row of an approved run gets into it.', ({ row }) => row.needsApproval),
    is(
      'keeps_commitment',
      'What the ledger has committed to it stays so, whether or not a request to fund it was sent.',
      ({ payment }) => payment.keepsCommitment,
    ),
    is('money_has_left', 'Its money has left the balance, and has not come back.', ({ payment }) => payment.hasLeft),
    is('was_paid', 'The provider has completed it, whatever came back later.', ({ payment }) => payment.wasPaid),
    is(
      'is_unresolved',
      'It has ended without an outcome: the provider may still show one, or people resolve it.',
      ({ stage, payment }) => stage === 'ended' && payment.isObserved,
    ),
    is('has_failed', 'The provider has refused it, or could not carry it out.', ({ payment }) => payment.hasFailed),
    is(
      'was_never_paid',
      'It is not paid, for certain, and never was: of one that came back the money has left.',
      ({ counts, payment }) => counts.asUnpaid && !payment.wasPaid,
    ),
    is(
      'counts_as_duplicate',
      'A second row that pays the same is a suspected duplicate.',
      ({ counts }) => counts.asDuplicate,
    ),
  ];
}

function manualOutcomeFunctions(): StateFunction[] {
  const is = questionsOf('manual_outcome', MANUAL_OUTCOME_STATE_TABLE);
  return [is('holds', 'What was said is not taken back, rejected, or contradicted.', ({ holds }) => holds)];
}

function runFunctions(): StateFunction[] {
  const is = questionsOf('run', RUN_STATE_TABLE);
  return [
    transitions('run', RUN_STATE_TABLE),
    is('is_undecided', 'Neither approved nor ended.', ({ stage }) => stage === 'checking' || stage === 'deciding'),
    is('is_paying', 'Approved and not ended: only such a run can be stopped.', ({ stage }) => stage === 'paying'),
    is('is_being_prepared', 'A moment later it can be decided on.', ({ decision }) => decision.isBeingPrepared),
    is(
      'waits_for_people',
      'Checked and not decided: its maker sends it for approval, or people decide on it. It expires if nobody does.',
      ({ stage, decision }) => stage === 'deciding' && !decision.isBeingPrepared,
    ),
    is('needs_approval', 'A run gets into it only once it is approved.', ({ decision }) => decision.isNeeded),
    is('is_set_by_worker', 'A worker moves a run into it.', ({ run }) => run.isSetByWorker),
    is(
      'counts_as_submitted',
      'Neither rejected nor expired: its rows may be repeated by those of others.',
      ({ countsAsSubmitted }) => countsAsSubmitted,
    ),
  ];
}

function conversionFunctions(): StateFunction[] {
  const is = questionsOf('conversion', CONVERSION_STATE_TABLE);
  return [
    conversionTransitions(),
    is('is_open', 'It has not ended: an account has one of these for a pair.', ({ stage }) => stage !== 'ended'),
    is('has_ended', 'Nothing more happens to it by itself.', ({ stage }) => stage === 'ended'),
    is('is_on_hold', 'People decide what becomes of it.', ({ stage }) => stage === 'on_hold'),
    is('is_unfunded', 'Created, and not known to be funded.', ({ stage }) => stage === 'unfunded'),
    is('is_in_flight', 'Funded, and the bought money is not seen yet.', ({ stage }) => stage === 'in_flight'),
    is(
      'ended_without_one',
      'It has ended, and the provider never had a conversion of it.',
      ({ stage, withProvider }) => stage === 'ended' && withProvider === 'never',
    ),
    is('is_set_by_function', 'No process moves an order into it by itself.', ({ order }) => order.isSetByFunction),
    is(
      'may_run_late',
      'It has ended by what was not seen: the provider may carry it out late.',
      ({ order }) => order.mayRunLate,
    ),
    is(
      'keeps_commitment',
      'What it sells stays committed to it, and counts in the cap of its day.',
      ({ amounts }) => amounts.areCommitted,
    ),
    withConversion(
      'conversion_may_bring_money',
      'What it buys may still come: nothing is bought in its place.',
      'mayCome',
    ),
    withConversion(
      'conversion_may_be_credited',
      'What it buys may be in the balance already: an equal receipt may be its money.',
      'mayBeCredited',
    ),
  ];
}

function caseFunctions(): StateFunction[] {
  const is = questionsOf('case', CASE_STATE_TABLE);
  return [
    transitions('case', CASE_STATE_TABLE),
    is('may_be_supplied', 'An onboarder may give new values and files.', ({ case: { maySupply } }) => maySupply),
    is(
      'is_decided_by_provider',
      'The provider has approved or rejected the applicant.',
      ({ case: { isDecidedByProvider } }) => isDecidedByProvider,
    ),
    is(
      'sign_up_may_be_unanswered',
      'The sign-up may be under way, or its outcome is unknown.',
      ({ signUp }) => signUp.mayBeUnanswered,
    ),
    is('is_set_by_people', 'Only people move a case into it.', ({ case: { isSetByPeople } }) => isSetByPeople),
  ];
}

function virtualAccountFunctions(): StateFunction[] {
  const is = questionsOf('virtual_account', VIRTUAL_ACCOUNT_STATE_TABLE);
  return [
    transitions('virtual_account', VIRTUAL_ACCOUNT_STATE_TABLE),
    is('may_be_resolved', 'Two people may say what became of it.', ({ mayBeResolved }) => mayBeResolved),
  ];
}

function breakFunctions(): StateFunction[] {
  const is = questionsOf('break', BREAK_STATE_TABLE);
  return [
    is('is_unresolved', 'People have to explain it, or to close it.', ({ isUnresolved }) => isUnresolved),
    is('is_gone', 'A later reconciliation did not find it again.', ({ isGone }) => isGone),
  ];
}

function deliveryFunctions(): StateFunction[] {
  const is = questionsOf('delivery', DELIVERY_STATE_TABLE);
  return [
    is('is_open', 'It is to be sent, or sent again.', ({ isOpen }) => isOpen),
    is('is_scheduled', 'It is sent when it is due.', ({ isScheduled }) => isScheduled),
  ];
}

function requestFunctions(): StateFunction[] {
  const effective = statesWhere(REQUEST_OUTCOME_TABLE, ({ mayBeEffect }) => mayBeEffect);
  const blocking = statesWhere(REQUEST_OUTCOME_TABLE, ({ blocksAnother }) => blocksAnother);
  const nonIdempotent = statesWhere(PAYMENT_OPERATION_TABLE, ({ isNonIdempotent }) => isNonIdempotent);
  const sent = statesWhere(ANSWER_TABLE, ({ mayHaveTakenEffect }) => mayHaveTakenEffect);
  return [
    {
      name: 'outcome_may_be_effect',
      comment: 'A request with this outcome has taken effect, or may have: none is recorded, or it was only not seen.',
      text: `(p_outcome text) returns boolean language sql immutable\nreturn p_outcome is null or ${isIn('p_outcome', effective)};`,
    },
    {
      name: 'outcome_blocks_another',
      comment: 'No other request begins after one with this outcome.',
      text: `(p_outcome text) returns boolean language sql immutable\nreturn p_outcome is null or ${isIn('p_outcome', blocking)};`,
    },
    {
      name: 'answer_may_be_effect',
      comment: 'A request with this answer may have taken effect; without one as well.',
      text: `(p_answer text) returns boolean language sql immutable\nreturn p_answer is null or ${isIn('p_answer', sent)};`,
    },
    {
      name: 'operation_is_non_idempotent',
      comment: 'A second request of the operation could move money twice.',
      text: `(p_operation text) returns boolean language sql immutable\nreturn ${isIn('p_operation', nonIdempotent)};`,
    },
  ];
}

/** Questions about one kind of thing: its states for which the answer is yes. */
function questionsOf<State extends string, Row>(
  thing: string,
  table: Readonly<Record<State, Row>>,
): (question: string, comment: string, isSo: (row: Row) => boolean) => StateFunction {
  return (question, comment, isSo) => ({
    name: `${thing}_${question}`,
    comment,
    text: `(p_state text) returns boolean language sql immutable\nreturn ${isIn('p_state', statesWhere(table, isSo))};`,
  });
}

function transitions<State extends string>(
  thing: string,
  table: Readonly<Record<State, { next: readonly State[] }>>,
): StateFunction {
  return {
    name: `may_move_${thing}`,
    comment: 'Which transitions there are.',
    text: `(p_from text, p_to text) returns boolean language sql immutable\nreturn ${nextStates(table)};`,
  };
}

function nextStates<State extends string>(table: Readonly<Record<State, { next: readonly State[] }>>): string {
  const cases = statesWhere(table, ({ next }) => next.length > 0).map(
    (from) => `  when '${from}' then ${isIn('p_to', table[from].next)}`,
  );
  return ['case p_from', ...cases, '  else false', 'end'].join('\n');
}

function conversionTransitions(): StateFunction {
  const withProvider = (kind: string): readonly string[] =>
    statesWhere(CONVERSION_STATE_TABLE, (row) => row.withProvider === kind);
  return {
    name: 'may_move_conversion',
    comment:
      'Which transitions there are. No call cancels a conversion: an order that has one never returns to a state without.',
    text: `(p_from text, p_to text, p_has_conversion boolean) returns boolean language sql immutable
return ${nextStates(CONVERSION_STATE_TABLE)}
and case
  when ${isIn('p_to', withProvider('never'))} then not p_has_conversion
  when ${isIn('p_to', withProvider('always'))} then p_has_conversion
  else true
end;`,
  };
}

function withConversion(name: string, comment: string, asked: 'mayCome' | 'mayBeCredited'): StateFunction {
  const states = (answer: string): readonly string[] =>
    statesWhere(CONVERSION_STATE_TABLE, ({ amounts }) => amounts[asked] === answer);
  return {
    name,
    comment,
    text: `(p_state text, p_has_conversion boolean) returns boolean language sql immutable
return ${isIn('p_state', states('always'))} or ${isIn('p_state', states('if_created'))} and p_has_conversion;`,
  };
}

function isIn(value: string, states: readonly string[]): string {
  return states.length === 0 ? 'false' : `${value} in (${states.map((state) => `'${state}'`).join(', ')})`;
}

/** Statements and triggers of both, with their own rights; a function only states what it says. */
const CALLERS = '-- Called by: server and worker.';

function fileOf(source: string, functions: readonly StateFunction[]): string {
  const head = `-- Written by \`npm run docs\` from ${source}: change it there, not here.`;
  return `${[head, ...functions.map(({ name, comment, text }) => `-- ${comment}\n${CALLERS}\ncreate or replace function ${name}${text}`)].join('\n\n')}\n`;
}
