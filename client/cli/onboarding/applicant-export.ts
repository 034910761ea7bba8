import { APPLICANT_FIELDS } from '../../../domain/onboarding/applicant-fields.ts';
import { CASE_STATE_TABLE } from '../../../domain/onboarding/case-state.ts';
import { withoutMarkdown } from '../../../domain/state-table.ts';
import { SUPPORTED_KINDS } from '../../../domain/payment-file/supporting-file-kind.ts';
import type { AuditEntrySummary, CaseDocument, CaseExport } from '../../sdk/index.ts';
import { handedOutCase } from '../../sdk/handed-out-case.ts';
import { printable } from '../printable.ts';
import { moment, words } from '../wording.ts';

/** A document of an export, with the name of its file there. */
export type ExportedDocument = CaseDocument & { file: string; isFormer: boolean };

/** All files, those that count first. Named after the slot, which is unique and safe: names of files come from outside. */
export function exportedDocuments({ documents, formerDocuments }: CaseExport): ExportedDocument[] {
  const named = (document: CaseDocument, isFormer: boolean): ExportedDocument => {
    const ending = SUPPORTED_KINDS.find((kind) => kind.contentType === document.contentType)?.extensions[0] ?? 'bin';
    const slot = document.slot.replace(/[^A-Za-z0-9_]/g, '_');
    return { ...document, isFormer, file: `${slot}${isFormer ? `.revision-${document.revision}` : ''}.${ending}` };
  };
  return [
    ...documents.map((document) => named(document, false)),
    ...formerDocuments.map((document) => named(document, true)),
  ];
}

/** What is handed out about an applicant, for programs. */
export function applicantExport(exported: CaseExport, audit: readonly AuditEntrySummary[]): object {
  return handedOutCase(exported, exportedDocuments(exported), audit);
}

/** The same for people: what the applicant gave and when, the documents, what the provider wrote, what happened. */
export function applicantPage(exported: CaseExport, audit: readonly AuditEntrySummary[]): string {
  const { applicantRef, accountType, state, submittedAt, endedAt, erasableFrom, revisions, remarks } = exported;
  const sections = [
    [
      `What is stored about the applicant ${applicantRef} (${accountType})`,
      `State: ${words(state)}. ${withoutMarkdown(CASE_STATE_TABLE[state].meaning)}`,
      `Submitted: ${moment(submittedAt)}`,
      ...(endedAt === null ? [] : [`Ended: ${moment(endedAt)}`]),
      ...(erasableFrom === null ? [] : [`Kept until: ${moment(erasableFrom)}`]),
    ],
    ...revisions.map(({ revision, suppliedAt, values }, index) => [
      `Given ${index === 0 ? 'first' : `as revision ${revision}`}, on ${moment(suppliedAt)}:`,
      ...changedValues(revisions[index - 1]?.values ?? {}, values),
    ]),
    ['Documents:', ...exportedDocuments(exported).map(documentLine)],
    ...(remarks.length === 0
      ? []
      : [['The provider wrote:', ...remarks.map(({ seenAt, text }) => `  ${moment(seenAt)}: ${text ?? ''}`)]]),
    [
      'What happened:',
      ...audit.map(({ at, kind, remark }) => `  ${moment(at)}: ${words(kind)}${remark === null ? '' : `: ${remark}`}`),
    ],
  ];
  return `${sections.map((lines) => lines.map(printable).join('\n')).join('\n\n')}\n`;
}

const LABELS = new Map<string, string>(APPLICANT_FIELDS.map(({ key, label }) => [key, label]));

/** What differs from the revision before; all of the first one. */
function changedValues(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(now).flatMap(([key, value]) =>
    before[key] === value ? [] : `  ${LABELS.get(key) ?? words(key)}: ${value}`,
  );
  const removed = Object.keys(before).filter((key) => !(key in now));
  lines.push(...removed.map((key) => `  ${LABELS.get(key) ?? words(key)}: removed`));
  return lines.length === 0 ? ['  documents alone'] : lines;
}

function documentLine({ file, documentType, fileName, revision, isFormer }: ExportedDocument): string {
  const name = fileName === null ? '' : `, given as ${fileName}`;
  return `  ${file}: ${words(documentType)}${name} in revision ${revision}${isFormer ? ', replaced since' : ''}`;
}
