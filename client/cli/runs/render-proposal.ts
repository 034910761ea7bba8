import { Big } from 'big.js';
import { costBoundInWords } from '../../../domain/approvals/cost-bound.ts';
import {
  banksInWords,
  CUT_OFFS_IN_WORDS,
  type CurrencyTotal,
  type DueDates,
  type ExpectedCost,
  type FundsNeed,
  type RunProposal,
  SIDE_IN_WORDS,
  timeInWords,
} from '../../../domain/runs/run-proposal.ts';
import type { RunSummary } from '../../sdk/index.ts';
import { shortHash } from '../approvals/content-hash.ts';
import { printable } from '../printable.ts';
import { stopNotice } from '../approvals/render-stops.ts';
import { progressLine, unknownNotice } from './render-progress.ts';
import { textTable } from '../text-table.ts';
import { count, counted, duration, moment, money, words } from '../wording.ts';

/** A run for a checker: what it pays, whether the funds suffice, how long it takes. */
export function renderProposal(run: RunSummary): string {
  const sections = [unknownNotice(run), heading(run), run.stops.map(stopNotice).join('\n')].filter(
    (section) => section !== '',
  );
  if (run.proposal === null) sections.push('There is no proposal yet.');
  else sections.push(...proposalSections(run.proposal, run.finishedAt !== null));
  const rows = progressLine(run);
  if (rows !== '') sections.push(`Rows: ${rows}`);
  const notices = run.sentences.rows.filter(({ state }) => state !== 'unknown');
  if (notices.length > 0) sections.push(notices.map(({ title, hint }) => printable(`${title}: ${hint}`)).join('\n'));
  return sections.join('\n\n');
}

/** The content of an approval in a few lines. */
export function renderToApprove(run: RunSummary): string {
  const { fileName, account, proposal } = run;
  if (proposal === null) return '';
  const sums = proposal.totals.map(
    ({ currency, side, amount, rows }) =>
      `${currency} ${money(amount)} ${SIDE_IN_WORDS[side]} (${counted(rows, 'row')})`,
  );
  const onHold = proposal.onHold === 0 ? '' : `; ${counted(proposal.onHold, 'row')} on hold`;
  return [
    `To be approved: ${fileName}, submitted by ${run.submittedBy.name} on ${moment(run.submittedAt)}`,
    `${counted(proposal.payable, 'payment')} from account ${account}: ${sums.join(', ')}${onHold}`,
    ...costBoundInWords(proposal.costBound, money),
    `Content ${shortHash(proposal.contentHash)}`,
  ]
    .map(printable)
    .join('\n');
}

function heading(run: RunSummary): string {
  const { status, toDo } = run.sentences;
  const lines = [
    `Run ${run.runId}: ${words(run.state)}${run.stateReason === null ? '' : ` (${run.stateReason})`}`,
    status,
    ...(toDo === null ? [] : [`To do: ${toDo}`]),
    `File ${run.fileName}, account ${run.account}, submitted by ${run.submittedBy.name} on ${moment(run.submittedAt)}`,
  ];
  if (run.profile !== null) {
    const { name, hash, wasKnown } = run.profile;
    lines.push(`Read by the profile "${name}" (${hash}), ${wasKnown ? 'known before' : 'new'}`);
  }
  for (const { sentence, at, comment } of run.decisions) {
    lines.push(`${sentence}, on ${moment(at)}${comment === null ? '' : `: ${comment}`}`);
  }
  if (run.finishedAt !== null) lines.push(`Ended on ${moment(run.finishedAt)}`);
  return lines.map(printable).join('\n');
}

/** For an ended run only what was proposed, without funds and duration. */
function proposalSections(proposal: RunProposal, hasEnded: boolean): string[] {
  const sections = [
    totals(hasEnded ? 'Proposed' : 'To be paid', proposal.totals),
    hasEnded ? '' : dates(proposal.due),
    hasEnded ? '' : costs(proposal.costs),
    hasEnded ? '' : funds(proposal),
    hasEnded ? '' : costBoundInWords(proposal.costBound, money).map(printable).join('\n'),
  ].filter((section) => section !== '');
  const onHold =
    proposal.onHold === 0
      ? ''
      : `, ${counted(proposal.onHold, 'row')} on hold, which ${hasEnded ? 'were not' : 'will not be'} paid: see show --rows`;
  const how = timeInWords(proposal);
  const effort = `${counted(proposal.requests, 'request')} to the provider: sending takes about ${duration(proposal.durationSeconds)}${how === '' ? '' : `, ${how}`}`;
  sections.push(
    [
      `${counted(proposal.payable, 'payment')} of ${counted(proposal.rows, 'row')}${onHold}`,
      ...(hasEnded ? [] : [effort]),
      `Content ${printable(proposal.contentHash)}`,
    ].join('\n'),
  );
  if (proposal.warnings.length > 0) {
    sections.push(proposal.warnings.map((warning) => `Warning: ${printable(warning)}`).join('\n'));
  }
  return sections;
}

function totals(title: string, currencies: readonly CurrencyTotal[]): string {
  if (currencies.length === 0) return '';
  return textTable(
    [{ title }, { title: 'Amount', align: 'right' }, { title: 'Rows', align: 'right' }],
    currencies.map(({ currency, side, amount, rows }) => [
      `${currency} ${SIDE_IN_WORDS[side]}`,
      money(amount),
      String(rows),
    ]),
  );
}

function dates({ dates: named, laterDates, laterRows }: DueDates): string {
  if (named.length === 0) return '';
  const table = textTable(
    [{ title: 'Due' }, { title: '' }, { title: 'Rows', align: 'right' }, { title: 'Banks' }],
    named.map((due) => [
      due.date,
      due.isAtOnce ? `${due.weekday}, as soon as it is approved` : due.weekday,
      count(due.rows),
      banksInWords(due) ?? '',
    ]),
  );
  const later = laterDates === 0 ? '' : `\nand ${counted(laterDates, 'later date')} with ${counted(laterRows, 'row')}`;
  return `${table}${later}\n${CUT_OFFS_IN_WORDS}`;
}

function costs(expected: readonly ExpectedCost[]): string {
  if (expected.length === 0) return '';
  const amount = (of: string | null): string => (of === null ? 'unknown' : money(of));
  const table = textTable(
    [
      { title: 'Expected' },
      ...['Rows', 'Sold', 'Fees', 'Received', 'Rate'].map((title) => ({ title, align: 'right' as const })),
      { title: 'Quoted' },
    ],
    expected.map(({ sellCurrency, buyCurrency, channel, rows, ...cost }) => [
      `${sellCurrency} to ${buyCurrency}${channel === null ? '' : `, ${channel}`}`,
      String(rows),
      ...[cost.sells, cost.fees, cost.buys].map(amount),
      cost.rate ?? '',
      cost.quotedAt === null ? '' : moment(cost.quotedAt),
    ]),
  );
  return `${table}\nBy indicative prices: each payment has a quote of its own.`;
}

function funds({ funds: needs, composedAt }: RunProposal): string {
  if (needs.length === 0) return '';
  const columns = ['Needed, with fees', 'Balance', 'Committed to other runs', 'Of it due later', 'Short'];
  const table = textTable(
    [{ title: 'Funds' }, ...columns.map((title) => ({ title, align: 'right' as const }))],
    needs.map((need) => [
      need.currency,
      /[1-9]/.test(need.needed) ? money(need.needed) : 'when quoted',
      need.balance === null ? 'unknown' : money(need.balance),
      money(need.committed),
      money(need.dueLater),
      shortfall(need),
    ]),
  );
  return `${table}\nBalances and other runs as of ${moment(composedAt)}: what was approved since is not in it.`;
}

/** The missing amount; empty when the funds suffice, `?` without a balance. */
function shortfall({ needed, balance, committed, dueLater }: FundsNeed): string {
  if (balance === null) return '?';
  const missing = new Big(needed).plus(committed).minus(dueLater).minus(balance);
  const decimals = Math.max(...[needed, balance, committed].map((amount) => amount.split('.')[1]?.length ?? 0));
  return missing.gt(0) ? money(missing.toFixed(decimals)) : '';
}
