import { explanationOfReason } from '../../../domain/onboarding/case-reason-codes.ts';
import { stageOfCase } from '../../../domain/onboarding/case-state.ts';
import { withoutMarkdown } from '../../../domain/state-table.ts';
import { rolesThatMay } from '../../../domain/users/role.ts';
import type { CaseDetail, CaseManualOutcome } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { count, moment, words } from '../wording.ts';
import { renderHolds } from './render-holds.ts';

/** A case: what its state means, what is asked for beside the provider's remarks, what was supplied and sent, what to do. */
export function renderCase(detail: CaseDetail): string {
  return [
    head(detail),
    renderHolds(detail.holds),
    askedFor(detail),
    remarks(detail),
    values(detail),
    documents(detail),
    requests(detail),
    detail.manualOutcomes.map(manualOutcome).join('\n'),
    nextStep(detail),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function head(detail: CaseDetail): string {
  const { state, waitingSince, endedAt, erasableFrom, withdrawn, erased } = detail;
  const waitsFor = stageOfCase(state) === 'provider' ? 'the provider' : 'an onboarder';
  const lines: Line[] = [
    ['Case', detail.caseId],
    ['Applicant', `${detail.applicantRef} (${detail.accountType}), revision ${detail.revision}`],
    ['Account', detail.account],
    ['State', `${state}: ${detail.sentences.status}`],
    ...reasonOf(detail),
    ...userOf(detail),
    ['Submitted', `by ${detail.submittedBy.name} on ${moment(detail.submittedAt)}`],
    ['Waiting', waitingSince === null ? null : `for ${waitsFor}, since ${moment(waitingSince)}`],
    ['Ended', endedAt === null ? null : moment(endedAt)],
    [
      'Withdrawn',
      withdrawn === null ? null : `by ${withdrawn.by.name} on ${moment(withdrawn.at)}${because(withdrawn)}`,
    ],
    ['Erased', erased === null ? null : `by ${erased.by.name} on ${moment(erased.at)}`],
    ['Erasable from', erasableFrom === null ? null : moment(erasableFrom)],
  ];
  const shown = lines.filter((line): line is [string, string] => line[1] !== null);
  return shown.map(([title, text]) => printable(`${title.padEnd(TITLE_WIDTH)}${text}`)).join('\n');
}

const TITLE_WIDTH = 19;

type Line = [title: string, text: string | null];

/** An erased case has the state in which it ended in place of a reason. */
function reasonOf({ caseId, state, stateReason }: CaseDetail): Line[] {
  if (stateReason === null) return [];
  if (state === 'erased') return [['State before', stateReason]];
  const cause = explanationOfReason(stateReason)?.cause;
  return [['Reason', cause === undefined ? stateReason : `${stateReason}: ${plain(cause, caseId)}`]];
}

/** The id by the name that a file of applicants has for it. */
function userOf({ userId, accountId, providerStatus, unlistedStatus, isExistingUser }: CaseDetail): Line[] {
  if (userId === null) return [['provider_user_id', 'none is known']];
  return [
    ['provider_user_id', `${userId}${isExistingUser ? ' (existed before the case)' : ''}`],
    ["Provider's account", accountId],
    ["Provider's status", unlistedStatus === null ? providerStatus : `${String(providerStatus)} ("${unlistedStatus}")`],
  ];
}

function because({ reason }: { reason: string | null }): string {
  return reason === null ? '' : `: ${reason}`;
}

/** Explanations are written in Markdown, about a case CASE. */
function plain(markdown: string, caseId = 'CASE'): string {
  return withoutMarkdown(markdown).replace(/\bCASE\b/g, caseId);
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
  if (supplied === null) return state === 'erased' ? 'The personal data is erased.' : '';
  return textTable([{ title: 'Field' }, { title: 'Value' }], Object.entries(supplied));
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
      document.slot,
      document.fileName ?? '',
      document.contentType,
      count(document.sizeBytes),
      String(document.revision),
      document.state === 'verified' ? 'the provider has it' : document.state,
    ]),
  );
}

function requests({ requests: sent, uploads, endedAt }: CaseDetail): string {
  if (sent.length === 0 && uploads.length === 0) {
    return endedAt === null ? 'Nothing was sent to the provider yet.' : 'Nothing was sent to the provider.';
  }
  const lines = [
    ...sent.map((request) => ({ at: request.begunAt, cells: requestCells(request) })),
    ...uploads.map((upload) => ({ at: upload.uploadedAt, cells: uploadCells(upload) })),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return textTable(
    [
      { title: 'Sent' },
      { title: 'Revision', align: 'right' },
      { title: 'Started' },
      { title: 'Ended' },
      { title: 'HTTP', align: 'right' },
      { title: 'Outcome' },
    ],
    lines.map(({ cells }) => cells),
  );
}

function requestCells(request: CaseDetail['requests'][number]): string[] {
  const { operation, slot, revision, begunAt, answeredAt, httpStatus, outcome } = request;
  // What is found by looking it up has no answer of its own.
  const isShownByProvider = httpStatus === null && outcome === 'took_effect';
  return [
    `${operation}${slot === null ? '' : ` ${slot}`}`,
    String(revision),
    moment(begunAt),
    answeredAt === null ? 'not seen' : moment(answeredAt),
    httpStatus === null ? '' : String(httpStatus),
    `${words(outcome)}${isShownByProvider ? ', as the provider shows' : ''}`,
  ];
}

/** Also of a file that replaced another one, for which no document is created. */
function uploadCells({ slot, revision, uploadedAt, verifiedAt }: CaseDetail['uploads'][number]): string[] {
  const outcome = verifiedAt === null ? 'uploaded' : 'the provider has it';
  return [`upload ${slot}`, String(revision), '', moment(uploadedAt), '', outcome];
}

function manualOutcome(proposal: CaseManualOutcome): string {
  const { outcome, userId, proposedBy, proposedAt, reason, closingReason } = proposal;
  const user = userId === null ? '' : ` (user ${userId})`;
  return [
    `Proposed as ${words(outcome)}${user} by ${proposedBy.name} on ${moment(proposedAt)}: ${reason ?? '(erased)'}`,
    `  ${progressOf(proposal)}${closingReason === null ? '' : `: ${closingReason}`}`,
  ]
    .map(printable)
    .join('\n');
}

function progressOf(proposal: CaseManualOutcome): string {
  const { state, confirmedBy, closedAt } = proposal;
  const by = confirmedBy === null ? '' : ` by ${confirmedBy.name}`;
  if (state === 'proposed') return confirmedBy === null ? 'needs a second person' : `confirmed${by}, being carried out`;
  return `${endOf(proposal)}${closedAt === null ? '' : ` on ${moment(closedAt)}`}`;
}

/** What was confirmed may still be contradicted, by what the provider shows, or be rejected. */
function endOf({ state, proposedBy, confirmedBy, closedBy }: CaseManualOutcome): string {
  const confirmer = confirmedBy === null ? '' : `confirmed by ${confirmedBy.name}`;
  if (state === 'confirmed') return confirmer === '' ? 'confirmed' : confirmer;
  const before = confirmer === '' ? '' : `${confirmer}, then `;
  if (state === 'contradicted') return `${before}contradicted by payrun`;
  if (closedBy?.userId === proposedBy.userId) return `${before}taken back by ${closedBy.name}`;
  return `${before}rejected${closedBy === null ? '' : ` by ${closedBy.name}`}`;
}

function nextStep({ caseId, state, sentences, manualOutcomes }: CaseDetail): string {
  const command = printable(`payrun onboard resolve ${caseId}`);
  const isProposed = manualOutcomes.some((one) => one.state === 'proposed' && one.confirmedBy === null);
  return [
    ...(sentences.toDo === null ? [] : [`What to do: ${printable(sentences.toDo)}`]),
    ...(state === 'unknown' && isProposed ? [`${command} --confirm, or --reject`] : []),
  ].join('\n');
}

/** As a file names it: `document_passport` is `document: passport`, a field keeps its name. */
export function missingInWords(name: string): string {
  const document = /^document_(.+)$/.exec(name)?.[1];
  return document === undefined ? name : `document: ${document}`;
}
