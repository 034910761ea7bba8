import type { Command } from 'commander';
import { isDoneForNow, OPEN_CASE_STATES } from '../../../domain/onboarding/case-state.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { expectAllApproved, followCases } from './follow-cases.ts';
import { caseNamed, listCases } from './named-case.ts';

interface WatchOptions {
  account?: string;
  json?: boolean;
}

/** Follows cases, as `submit --wait` does: it can be interrupted and run again at any time. */
export function addWatchCasesCommand(onboard: Command, io: CommandIo): void {
  onboard
    .command('watch')
    .description(
      'follow cases until payrun and the provider have done their part; exit code 0 only if all are approved',
    )
    .argument('[case...]', 'ids or references of cases; without any, all that payrun or the provider works on')
    .option('--account <name>', 'without a case: only cases of this account of the provider')
    .option('--json', 'one JSON document on stdout, at the end')
    .addHelpText('after', examples('payrun onboard watch', 'payrun onboard watch CASE'))
    .action(async (named: string[], { account, json = false }: WatchOptions) => {
      const client = await connect(io);
      const cases: { caseId: string }[] = [];
      for (const one of named) cases.push({ caseId: await caseNamed(client, one) });
      if (named.length === 0) {
        for (const state of OPEN_CASE_STATES.filter((open) => !isDoneForNow(open))) {
          const page = await listCases(client, { state, account: account ?? null, limit: Number.POSITIVE_INFINITY });
          cases.push(...page.cases);
        }
      }
      const out = json ? io.stderr : io.stdout;
      if (cases.length === 0) await writeLine(out, 'Nothing is under way.');
      const ended = await followCases(client, cases, out);
      if (json) {
        const states = ended.map(({ caseId, applicantRef, state, stateReason }) => ({
          ...{ caseId, applicantRef, state, stateReason },
        }));
        await writeJson(io, { cases: states });
      }
      expectAllApproved(ended);
    });
}
