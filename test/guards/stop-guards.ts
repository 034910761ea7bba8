import type { Guard } from './guard.ts';

const STOPS = 'test/store/stops.services.ts';
const WITHDRAWN_RUNS = 'test/store/withdrawn-runs.services.ts';
const CHECKED_RUNS = 'test/store/checked-runs.services.ts';
const EQUAL_REFUSALS = 'test/store/equal-refusals.services.ts';

/** Checks of stops, of withdrawn runs, and of runs that their maker had checked only. */
export const STOP_GUARDS: readonly Guard[] = [
  {
    id: 'stop-of-run',
    against: 'a stopped run continues to pay',
    without: "and (scope = 'all' or (scope = 'account' and account = p_account) ))",
    test: { file: STOPS, name: 'a stop of a run applies to its scope' },
  },
  {
    id: 'stop-of-account',
    against: 'the runs of a stopped account continue to pay',
    without: "and (scope = 'all'  or (scope = 'run' and run_id = p_run)))",
    test: { file: STOPS, name: 'a stop of an account applies to its scope' },
  },
  {
    id: 'stop-of-all',
    against: 'runs continue to pay although everything is stopped',
    without: "and ((scope = 'account' and account = p_account) or (scope = 'run' and run_id = p_run)))",
    test: { file: STOPS, name: 'a stop of everything applies to its scope' },
  },
  {
    id: 'stop-of-known-account',
    against: 'a stop for a mistyped account is accepted and stops nothing',
    without: 'elsif false and not exists (select from known_accounts() where account = p_account) then',
    test: { file: STOPS, name: 'a stop needs a known account' },
  },
  {
    id: 'stop-while-lifted',
    against: 'a stop that is made while another one is being lifted stops nothing',
    without: 'and run_id is not distinct from p_run and account is not distinct from p_account;',
    test: { file: STOPS, name: 'made while another is lifted stays in force' },
  },
  {
    id: 'lifted-by-another',
    against: 'one person alone lifts a stop',
    without: 'if false then',
    test: { file: STOPS, name: 'by somebody else than its requester' },
    behind: 'the table: lifted-by-two',
  },
  {
    id: 'lifted-by-two',
    against: 'a stop is recorded as lifted by one person',
    without: 'constraint lifted_by_two check (true),',
    test: { file: STOPS, name: 'by two different people, as the table enforces' },
    behind: 'lifted-by-another',
  },
  {
    id: 'lifted-by-checker',
    against: 'two makers lift a stop',
    without: 'if false then',
    test: { file: STOPS, name: 'a stop is lifted by a checker' },
  },
  {
    id: 'not-lifted-by-maker',
    against: 'the maker of a run lifts its stop',
    without: 'if false then',
    test: { file: STOPS, name: 'not by the maker of the run' },
  },
  {
    id: 'not-lifted-for-own-run',
    against: 'the maker of a run lifts the stop of its account, or of everything',
    without: 'if false and exists (select from runs where submitted_by = me.user_id',
    test: { file: STOPS, name: 'not by a user whose run would continue' },
  },
  {
    id: 'asker-may-still',
    against: 'one person lifts a stop with the request of another one who has lost the permission',
    without: '',
    test: { file: STOPS, name: 'by two users who may: the request of a user who' },
  },
  {
    id: 'lifted-as-seen',
    against: 'whoever only means to ask for the lift lifts a stop, because somebody else has asked meanwhile',
    without: 'if false then',
    test: { file: STOPS, name: 'by nobody who saw it before somebody asked' },
  },
  {
    id: 'stopped-again',
    against: 'a renewed stop is lifted by one more person',
    without: '',
    test: { file: STOPS, name: 'by two people who request it after it was made again' },
  },
  {
    id: 'cancelled-for-good',
    against: 'a cancelled run continues to pay',
    without:
      "if false then return refused('conflict', 'the run was cancelled: what is left of it is never sent'); end if;",
    test: { file: STOPS, name: 'never after its run was cancelled' },
  },
  {
    id: 'equal-refusals-stop',
    against: 'a thousand rows are refused because the connection or the contract is wrong',
    without: 'const isStopped = before.isStopped || false;',
    test: {
      file: EQUAL_REFUSALS,
      name: 'is stopped when so many rows in a row are refused with the same answer, and not before',
    },
  },
  {
    id: 'equal-refusals-in-a-row',
    against: 'a run is stopped although the provider creates payments of it',
    without: 'and false`;',
    test: { file: EQUAL_REFUSALS, name: 'is not stopped when a creation is between the refusals' },
  },
  {
    id: 'nothing-left-is-not-stopped',
    against: 'a run of which nothing is left to create is stopped, and waits for people',
    without: '',
    test: { file: EQUAL_REFUSALS, name: 'with nothing left to create is not stopped: it ends' },
  },
  {
    id: 'stopped-counts-nothing',
    against: 'a run whose stop was just lifted is stopped again for rows that were refused before',
    without: 'const isStopped = (pausesRun(streak) && (await stopForRefusals(transaction, runId, streak)));',
    test: { file: EQUAL_REFUSALS, name: 'is lifted by two people, and made again only after as many further refusals' },
  },
  {
    id: 'cancelled-when-stopped',
    against: 'a running run is cancelled',
    without: '',
    test: { file: STOPS, name: 'a run is cancelled when it is stopped' },
    behind: 'cancelled-by-people',
  },
  {
    id: 'cancelled-by-people',
    against: 'a worker ends rows of a run that nobody cancelled',
    without: '',
    test: { file: STOPS, name: 'by people: a worker cannot end rows of other runs' },
  },
  {
    id: 'withdrawn-by-maker',
    against: 'someone withdraws another maker’s run',
    without: 'if false then',
    test: { file: WITHDRAWN_RUNS, name: 'a run is withdrawn by its maker' },
  },
  {
    id: 'withdrawn-undecided',
    against: 'a maker withdraws a running run',
    without: 'if false then',
    test: { file: WITHDRAWN_RUNS, name: 'a run is withdrawn before it was decided on' },
  },
  {
    id: 'unsent-not-decided',
    against: 'a worker opens a run for a decision that its maker wanted checked only',
    without: 'check (true)',
    test: { file: CHECKED_RUNS, name: 'is not opened for a decision by a worker' },
  },
  {
    id: 'sent-by-maker',
    against: 'someone sends another maker’s run for approval',
    without: 'if false then',
    test: { file: CHECKED_RUNS, name: 'is sent by its maker alone' },
  },
  {
    id: 'sent-as-seen',
    against: 'a run is sent for approval with other content than its maker saw',
    without: 'if false then',
    test: { file: CHECKED_RUNS, name: 'is sent with the content that its maker saw' },
  },
];
