import { explanationOfReason } from '../../../domain/onboarding/case-reason-codes.ts';
import { CASE_STATE_MEANINGS } from '../../../domain/onboarding/case-state-meanings.ts';
import { rolesThatMay } from '../../../domain/users/role.ts';
import type { CaseDetail, CaseResolution } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { count, moment, words } from '../wording.ts';
import { missingInWords } from './missing-in-words.ts';

/** A case: what its state means, what is asked for beside the provider's remarks, what was supplied and sent, what to do. */
export function renderCase(detail: CaseDetail): string {
  return [
    head(detail),
    askedFor(detail),
    remarks(detail),
    values(detail),
    documents(detail),
    requests(detail),
    detail.resolutions.map(resolution).join('\n'),
    nextStep(detail),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function head(detail: CaseDetail): string {
  const { state, stateReason, waitingSince, endedAt, erasableFrom } = detail;
  const reason = stateReason === null ? null : plain(explanationOfReason(stateReason)?.cause ?? words(stateReason));
  const lines: [title: string, text: string | null][] = [
    ['Case', detail.caseId],
    ['Applicant', `${detail.applicantRef} (${detail.accountType}), revision ${detail.revision}`],
    ['Account', detail.account],
    ['State', `${words(state)}: ${plain(CASE_STATE_MEANINGS[state].meaning)}`],
    ['Reason', reason],
    ["Provider's user", userOf(detail)],
    ['Submitted', `by ${detail.submittedBy.name} on ${moment(detail.submittedAt)}`],
    ['Waiting since', waitingSince === null ? null : moment(waitingSince)],
    ['Ended', endedAt === null ? null : moment(endedAt)],
    ['Erasable from', erasableFrom === null ? null : moment(erasableFrom)],
  ];
  const shown = lines.filter((line): line is [string, string] => line[1] !== null);
  return shown.map(([title, text]) => printable(`${title.padEnd(16)}${text}`)).join('\n');
}

function userOf({ userId, accountId, providerStatus, isAdopted }: CaseDetail): string {
  if (userId === null) return 'none is known';
  const account = accountId === null ? '' : `, account ${accountId}`;
  const status = providerStatus === null ? '' : `, shown as ${providerStatus}`;
  return `${userId}${account}${status}${isAdopted ? ', existed before' : ''}`;
}

/** Explanations are written in Markdown. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}

function askedFor({ missing }: CaseDetail): string {
  if (missing.length === 0) return '';
  return ['Asked for:', ...missing.map((name) => printable(`  ${missingInWords(name)}`))].join('\n');
}

function remarks({ remarks: seen }: CaseDetail): string {
  if (seen.length === 0) return '';
  const lines = seen.map(({ seenAt, providerStatus, text }) =>
    printable(`  ${moment(seenAt)}, ${providerStatus}: ${text ?? '(not shown)'}`),
  );
  return ['The provider wrote:', ...lines].join('\n');
}

function values({ values: supplied, isMasked, state }: CaseDetail): string {
  if (isMasked) {
    return `Values, names of files and remarks are shown to these roles only: ${rolesThatMay('read_applicants').join(', ')}.`;
  }
  if (supplied === null) return state === 'erased' ? 'The personal data was erased.' : '';
  return textTable(
    [{ title: 'Supplied' }, { title: '' }],
    Object.entries(supplied).map(([field, value]) => [words(field), value]),
  );
}

function documents({ documents: supplied }: CaseDetail): string {
  if (supplied.length === 0) return '';
  return textTable(
    [
      { title: 'Document' },
      { title: 'File', maxWidth: 40 },
      { title: 'Type' },
      { title: 'Bytes', align: 'right' },
      { title: 'Revision', align: 'right' },
      { title: 'State' },
    ],
    supplied.map((document) => [
      words(document.slot),
      document.fileName ?? '',
      document.contentType,
      count(document.sizeBytes),
      String(document.revision),
      document.state === 'verified' ? 'the provider has it' : document.state,
    ]),
  );
}

function requests({ requests: sent }: CaseDetail): string {
  if (sent.length === 0) return 'Nothing was sent to the provider yet.';
  return textTable(
    [
      { title: 'Sent' },
      { title: 'Revision', align: 'right' },
      { title: 'Started' },
      { title: 'Ended' },
      { title: 'HTTP', align: 'right' },
      { title: 'Outcome' },
    ],
    sent.map((request) => [
      `${words(request.operation)}${request.slot === null ? '' : ` ${words(request.slot)}`}`,
      String(request.revision),
      moment(request.begunAt),
      request.answeredAt === null ? 'not seen' : moment(request.answeredAt),
      request.httpStatus === null ? '' : String(request.httpStatus),
      words(request.outcome),
    ]),
  );
}

function resolution(proposal: CaseResolution): string {
  const { outcome, userId, proposedBy, proposedAt, reason, closingReason } = proposal;
  const user = userId === null ? '' : ` (user ${userId})`;
  return [
    `Proposed as ${words(outcome)}${user} by ${proposedBy.name} on ${moment(proposedAt)}: ${reason ?? '(erased)'}`,
    `  ${progressOf(proposal)}${closingReason === null ? '' : `: ${closingReason}`}`,
  ]
    .map(printable)
    .join('\n');
}

function progressOf(proposal: CaseResolution): string {
  const { state, confirmedBy, closedAt } = proposal;
  const by = confirmedBy === null ? '' : ` by ${confirmedBy.name}`;
  if (state === 'proposed') return confirmedBy === null ? 'needs a second person' : `confirmed${by}, being carried out`;
  return `${endOf(proposal)}${closedAt === null ? '' : ` on ${moment(closedAt)}`}`;
}

/** What was confirmed may still be contradicted, by what the provider shows, or be denied. */
function endOf({ state, proposedBy, confirmedBy, closedBy }: CaseResolution): string {
  const confirmer = confirmedBy === null ? '' : `confirmed by ${confirmedBy.name}`;
  if (state === 'confirmed') return confirmer === '' ? 'confirmed' : confirmer;
  const before = confirmer === '' ? '' : `${confirmer}, then `;
  if (state === 'contradicted') return `${before}contradicted by payrun`;
  if (closedBy?.userId === proposedBy.userId) return `${before}taken back by ${closedBy.name}`;
  return `${before}denied${closedBy === null ? '' : ` by ${closedBy.name}`}`;
}

function nextStep({ caseId, state, advice, resolutions }: CaseDetail): string {
  const command = printable(`payrun onboard resolve ${caseId}`);
  const isProposed = resolutions.some((one) => one.state === 'proposed' && one.confirmedBy === null);
  return [
    ...(advice === null ? [] : [`What to do: ${printable(plain(advice))}`]),
    ...(state === 'unknown' && isProposed ? [`Someone else decides: ${command} --confirm, or --deny`] : []),
  ].join('\n');
}
