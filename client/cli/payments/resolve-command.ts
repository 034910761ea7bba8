import { type Command, Option } from 'commander';
import { RESOLVED_AS, type ResolvedAs } from '../../../domain/payments/resolution.ts';
import type { RowDetail } from '../../../application/runs/row-detail.ts';
import type { PayrunClient } from '../../sdk/payrun-client.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { words } from '../wording.ts';

interface ResolveOptions {
  row: string;
  outcome?: ResolvedAs;
  providerPaymentId?: string;
  reason?: string;
  confirm?: string | true;
  deny?: string | true;
  json?: boolean;
}

export function addResolveCommand(program: Command, io: CommandIo): void {
  program
    .command('resolve')
    .description('settle an unknown row by two people: one proposes, another one who may decide confirms')
    .argument('<run>', "the run's id")
    .requiredOption('--row <ref>', 'the row_ref of the row')
    .addOption(new Option('--outcome <end>', 'propose that it ended so').choices(RESOLVED_AS))
    .option('--provider-payment-id <id>', "which of the provider's payments is meant")
    .option('--reason <text>', 'how it is known; needed with --outcome')
    .option('--confirm [proposal]', 'confirm the open proposal, or the one of that id')
    .option('--deny [proposal]', 'deny the open proposal, or the one of that id; take back your own')
    .option('--json', 'one JSON document on stdout')
    .action(async (runId: string, options: ResolveOptions) => {
      checkOptions(options);
      const client = await connectToChange(io);
      const row = await act(client, { runId, rowRef: options.row }, options);
      if (options.json === true) await writeJson(io, row);
      else await writeLine(io.stdout, said(runId, row));
    });
}

function checkOptions({ outcome, confirm, deny, reason, providerPaymentId }: ResolveOptions): void {
  if ([outcome, confirm, deny].filter((choice) => choice !== undefined).length !== 1) {
    throw new WrongInput('give exactly one of --outcome, --confirm and --deny');
  }
  if (outcome !== undefined && (reason ?? '').trim() === '') {
    throw new WrongInput('--outcome needs a --reason: say how it is known');
  }
  if (outcome === undefined && providerPaymentId !== undefined) {
    throw new WrongInput('--provider-payment-id belongs to a proposal: give it with --outcome');
  }
  if (confirm !== undefined && reason !== undefined) {
    throw new WrongInput('--reason belongs to --outcome and --deny: a confirmation needs none');
  }
}

async function act(
  client: PayrunClient,
  at: { runId: string; rowRef: string },
  { outcome: as, confirm, deny, reason = '', providerPaymentId }: ResolveOptions,
): Promise<RowDetail> {
  if (as !== undefined)
    return client.proposeResolution(at, { as, providerPaymentId: providerPaymentId ?? null, reason });
  const resolutionId = await proposalOf(client, at, confirm ?? deny);
  if (confirm !== undefined) return client.confirmResolution(at, { resolutionId });
  return client.denyResolution(at, { resolutionId, reason: reason === '' ? null : reason });
}

/** Without an id, the proposal that is open at this moment is meant, and no later one. */
async function proposalOf(
  client: PayrunClient,
  { runId, rowRef }: { runId: string; rowRef: string },
  given: string | true | undefined,
): Promise<string> {
  if (typeof given === 'string') return given;
  const { resolutions } = await client.getRow(runId, rowRef);
  const open = resolutions.find(({ state }) => state === 'proposed');
  if (open === undefined)
    throw new WrongInput(`row ${rowRef} has no open proposal: make one with --outcome and --reason`);
  return open.resolutionId;
}

function said(runId: string, row: RowDetail): string {
  const latest = row.resolutions.at(-1);
  const place = printable(`payrun resolve ${runId} --row ${row.rowRef}`);
  if (latest?.state === 'proposed') {
    return `Proposed as ${words(latest.as)}. Nothing has changed yet: a checker other than you confirms it:\n  ${place} --confirm`;
  }
  return `${latest?.state === 'denied' ? 'Denied' : 'Resolved'}. The row ${printable(row.rowRef)} is ${words(row.state)}.`;
}
