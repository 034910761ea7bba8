import { type Command, Option } from 'commander';
import { MANUAL_OUTCOME_KINDS, type ManualOutcomeKind } from '../../../domain/payments/manual-outcome.ts';
import { PayrunApiError } from '../../sdk/errors.ts';
import type { PayrunClient, RowDetail } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { NotAsRequested, WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { words } from '../wording.ts';

interface ResolveOptions {
  row: string;
  outcome?: ManualOutcomeKind;
  providerPaymentId?: string;
  reason?: string;
  confirm?: string | true;
  reject?: string | true;
  json?: boolean;
}

interface Place {
  runId: string;
  rowRef: string;
}

export function addResolveCommand(program: Command, io: CommandIo): void {
  program
    .command('resolve')
    .description('resolve an unknown row, by two people: one proposes its outcome, another one confirms or rejects it')
    .argument('<run>', "the run's id")
    .requiredOption('--row <ref>', 'the row_ref of the row')
    .addOption(new Option('--outcome <outcome>', 'propose this outcome').choices(MANUAL_OUTCOME_KINDS))
    .option('--provider-payment-id <id>', "with --outcome: the provider's payment that the row stands for")
    .option('--reason <text>', 'how the outcome is known; required with --outcome')
    .option('--confirm [proposal]', 'confirm the open proposal, or the one with this id')
    .option('--reject [proposal]', 'reject the open proposal, or the one with this id; withdraw your own')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun resolve RUN --row INV-1 --outcome paid --reason "on the statement of 5 January"',
        'payrun resolve RUN --row INV-1 --confirm',
      ),
    )
    .action(async (runId: string, options: ResolveOptions) => {
      checkOptions(options);
      const client = await connectToChange(io);
      const { row, objection } = await act(client, { runId, rowRef: options.row }, options);
      if (options.json === true) await writeJson(io, row);
      if (objection !== null) throw new NotAsRequested(objection);
      if (options.json !== true) await writeLine(io.stdout, describeOutcome(runId, row));
    });
}

function checkOptions({ outcome, confirm, reject, reason, providerPaymentId }: ResolveOptions): void {
  if ([outcome, confirm, reject].filter((choice) => choice !== undefined).length !== 1) {
    throw new WrongInput('give exactly one of --outcome, --confirm and --reject');
  }
  if (outcome !== undefined && (reason ?? '').trim() === '') {
    throw new WrongInput('--outcome needs a --reason: say how the outcome is known');
  }
  if (outcome === undefined && providerPaymentId !== undefined) {
    throw new WrongInput('--provider-payment-id belongs to a proposal: give it with --outcome');
  }
  if (confirm !== undefined && reason !== undefined) {
    throw new WrongInput('--reason belongs to --outcome and --reject: a confirmation needs none');
  }
}

interface Acted {
  row: RowDetail;
  /** Why the proposal was closed without being confirmed; null when the command did what it was asked to. */
  objection: string | null;
}

async function act(
  client: PayrunClient,
  place: Place,
  { outcome, confirm, reject, reason = '', providerPaymentId }: ResolveOptions,
): Promise<Acted> {
  if (outcome !== undefined) {
    const proposal = { ...place, outcome, providerPaymentId: providerPaymentId ?? null, reason };
    return { row: await client.proposeManualOutcome(proposal), objection: null };
  }
  const { manualOutcomes } = await client.getRow(place);
  const open = manualOutcomes.find(({ state }) => state === 'proposed')?.manualOutcomeId;
  const given = confirm ?? reject;
  // Without an id, only the proposal that is open now is meant, and no later one.
  const manualOutcomeId = typeof given === 'string' ? given : open;
  if (manualOutcomeId === undefined) {
    throw new WrongInput(`row ${place.rowRef} has no open proposal: make one with --outcome and --reason`);
  }
  if (confirm !== undefined) {
    const isOpen = manualOutcomeId === open;
    return confirmProposal(client, place, { manualOutcomeId, isOpen });
  }
  const rejection = { ...place, manualOutcomeId, reason: reason === '' ? null : reason };
  return { row: await client.rejectManualOutcome(rejection), objection: null };
}

/** A confirmation that the provider contradicts, or that comes after the row has changed, closes the proposal. */
async function confirmProposal(
  client: PayrunClient,
  place: Place,
  { manualOutcomeId, isOpen }: { manualOutcomeId: string; isOpen: boolean },
): Promise<Acted> {
  try {
    return { row: await client.confirmManualOutcome({ ...place, manualOutcomeId }), objection: null };
  } catch (error) {
    if (!isOpen || !(error instanceof PayrunApiError) || error.code !== 'conflict') throw error;
    const row = await client.getRow(place);
    const state = row.manualOutcomes.find((manualOutcome) => manualOutcome.manualOutcomeId === manualOutcomeId)?.state;
    if (state !== 'contradicted' && state !== 'voided') throw error;
    return { row, objection: error.message };
  }
}

function describeOutcome(runId: string, row: RowDetail): string {
  const latest = row.manualOutcomes.at(-1);
  const command = printable(`payrun resolve ${runId} --row ${row.rowRef}`);
  if (latest?.state === 'proposed') {
    return `Proposed as ${words(latest.outcome)}. Nothing has changed yet: a checker other than you confirms it:\n  ${command} --confirm`;
  }
  return `${latest?.state === 'rejected' ? 'Rejected' : 'Resolved'}. The row ${printable(row.rowRef)} is ${words(row.state)}.`;
}
