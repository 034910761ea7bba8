import { type Command, Option } from 'commander';
import { CASE_OUTCOMES, type CaseDetail, type CaseManualOutcomeRequest, type PayrunClient } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { NotAsRequested, WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { words } from '../wording.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';

type CaseOutcome = (typeof CASE_OUTCOMES)[number];

interface ResolveOptions {
  outcome?: CaseOutcome;
  userId?: string;
  reason?: string;
  confirm?: string | true;
  reject?: string | true;
  json?: boolean;
}

export function addResolveCaseCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('resolve')
    .description('say what became of a sign-up, by two people: one proposes it, another one confirms or rejects it')
    .argument(...CASE_ARGUMENT)
    .addOption(new Option('--outcome <outcome>', 'propose this outcome').choices(CASE_OUTCOMES))
    .option('--user-id <id>', "with --outcome signed_up: the provider's id of the user")
    .option('--reason <text>', 'how the outcome is known; required with --outcome')
    .option('--confirm [proposal]', 'confirm the open proposal, or the one with this id')
    .option('--reject [proposal]', 'reject the open proposal, or the one with this id; withdraw your own')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun onboard resolve CASE --outcome signed_up --user-id USER --reason "the provider names it in their mail"',
        'payrun onboard resolve CASE --outcome never_created --reason "the provider has no such user"',
        'payrun onboard resolve CASE --confirm',
      ),
    )
    .action(async (given: string, options: ResolveOptions) => {
      const asked = askedFor(options);
      const client = await connectToChange(io);
      const detail = await act(client, await caseNamed(client, given), asked);
      if (options.json === true) await writeJson(io, detail);
      expectNotContradicted(detail, asked);
      if (options.json !== true) await writeLine(io.stdout, describeOutcome(detail));
    });
}

type Asked =
  | { kind: 'propose'; proposal: CaseManualOutcomeRequest }
  /** Without an id, the proposal that is open. */
  | { kind: 'confirm'; manualOutcomeId: string | null }
  | { kind: 'reject'; manualOutcomeId: string | null; reason: string | null };

/** Throws WrongInput for options that do not fit together. */
function askedFor({ outcome, userId, confirm, reject, reason }: ResolveOptions): Asked {
  if ([outcome, confirm, reject].filter((choice) => choice !== undefined).length !== 1) {
    throw new WrongInput('give exactly one of --outcome, --confirm and --reject');
  }
  if (userId !== undefined && outcome !== 'signed_up') {
    throw new WrongInput('--user-id belongs to --outcome signed_up');
  }
  if (outcome !== undefined) return { kind: 'propose', proposal: proposalOf(outcome, userId, reason) };
  if (confirm !== undefined && reason !== undefined) {
    throw new WrongInput('--reason belongs to --outcome and --reject: a confirmation needs none');
  }
  if (confirm !== undefined) return { kind: 'confirm', manualOutcomeId: idOf(confirm) };
  return {
    kind: 'reject',
    manualOutcomeId: idOf(reject),
    reason: reason === undefined || reason === '' ? null : reason,
  };
}

function proposalOf(outcome: CaseOutcome, userId: string | undefined, reason = ''): CaseManualOutcomeRequest {
  if (reason.trim() === '') throw new WrongInput('--outcome needs a --reason: say how the outcome is known');
  if (outcome === 'never_created') return { outcome, reason };
  if (userId === undefined) {
    throw new WrongInput("--outcome signed_up needs --user-id: the provider's id of the user");
  }
  return { outcome, userId, reason };
}

function idOf(given: string | true | undefined): string | null {
  return typeof given === 'string' ? given : null;
}

async function act(client: PayrunClient, caseId: string, asked: Asked): Promise<CaseDetail> {
  if (asked.kind === 'propose') return client.proposeCaseManualOutcome({ caseId, ...asked.proposal });
  const manualOutcomeId =
    asked.manualOutcomeId ?? openProposal(await client.getCase({ caseId, values: false }), asked.kind);
  if (asked.kind === 'confirm') {
    return client.confirmCaseManualOutcome({ caseId, manualOutcomeId });
  }
  return client.rejectCaseManualOutcome({ caseId, manualOutcomeId, reason: asked.reason });
}

/** The proposal that is open now is meant, and no later one. One that was confirmed can still be rejected. */
function openProposal({ caseId, manualOutcomes }: CaseDetail, kind: 'confirm' | 'reject'): string {
  const open = manualOutcomes.find(({ state }) => state === 'proposed');
  if (kind === 'confirm' && open !== undefined && open.confirmedBy !== null) {
    const { name } = open.confirmedBy;
    throw new WrongInput(
      printable(`${name} has confirmed it already, and payrun is carrying it out: payrun onboard show ${caseId}`),
    );
  }
  if (open === undefined) {
    throw new WrongInput('the case has no open proposal: make one with --outcome and --reason');
  }
  return open.manualOutcomeId;
}

/** A confirmation that the provider contradicts closes the proposal. */
function expectNotContradicted({ manualOutcomes }: CaseDetail, asked: Asked): void {
  const latest = manualOutcomes.at(-1);
  if (asked.kind !== 'confirm' || latest?.state !== 'contradicted') return;
  throw new NotAsRequested(`not resolved: ${latest.closingReason ?? 'the provider contradicts it'}`);
}

function describeOutcome({ caseId, applicantRef, state, manualOutcomes }: CaseDetail): string {
  const latest = manualOutcomes.at(-1);
  const command = (verb: string): string => printable(`payrun onboard ${verb} ${caseId}`);
  if (latest?.state === 'proposed' && latest.confirmedBy === null) {
    return (
      `Proposed as ${words(latest.outcome)}. Nothing has changed yet: another onboarder or a checker confirms it:\n` +
      `  ${command('resolve')} --confirm`
    );
  }
  if (latest?.state === 'proposed') return `Confirmed. payrun now carries it out: ${command('show')}`;
  return `${latest?.state === 'rejected' ? 'Rejected' : 'Resolved'}. The case of ${printable(applicantRef)} is ${words(state)}.`;
}
