import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AuditEntrySummary, AuditPage } from '../../api/audit/audit.ts';
import type { ActionableCase, CaseDocument, CaseExport } from '../../api/onboarding/case-detail.ts';
import { handedOutCase } from '../../client/sdk/handed-out-case.ts';
import { api, linkTo } from '../calls/api.ts';
import { Dialog } from '../elements/dialog.tsx';
import { inWords } from '../elements/formats.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { saveText } from '../elements/save-text.ts';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';

/** Everything that is known about an applicant, for who may read it: the trail says who has taken it. */
export function ExportCase({ of }: { of: ActionableCase }): ReactNode {
  const mayRead = useMay('read_applicants');
  const [isAsking, setAsking] = useState(false);
  if (!mayRead || of.erased !== null) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Export …
      </Button>
      {isAsking ? <ExportDialog of={of} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function ExportDialog({
  of: { caseId, applicantRef },
  onClose,
}: {
  of: ActionableCase;
  onClose: () => void;
}): ReactNode {
  const take = useAction(() => saveCase(caseId), { changes: [['case', caseId, 'audit']] });
  return (
    <Dialog title={`Export ${applicantRef}?`} isOpen isBusy={take.isRunning} onClose={onClose}>
      {take.answer === undefined ? (
        <span>
          A file with everything that is known about the applicant, also former values. These are personal data: delete
          the file when it was handed over. That you took it is recorded.
        </span>
      ) : (
        <Documents of={take.answer} />
      )}
      {take.error === null ? null : <Failed error={take.error} />}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" disabled={take.isRunning} onClick={onClose}>
          Back
        </Button>
        {take.answer === undefined ? (
          <Button loading={take.isRunning} onClick={() => take.do(undefined)}>
            Export
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}

async function saveCase(caseId: string): Promise<CaseExport> {
  const exported = await api.exportCase({ caseId });
  const documents = [
    ...exported.documents.map((document) => ({ ...document, isFormer: false })),
    ...exported.formerDocuments.map((document) => ({ ...document, isFormer: true })),
  ];
  const content = handedOutCase(exported, documents, await wholeAuditOf(caseId));
  saveText(`${JSON.stringify(content, null, 2)}\n`, `case-${caseId}.json`, 'application/json');
  return exported;
}

/** Oldest first. */
async function wholeAuditOf(caseId: string): Promise<AuditEntrySummary[]> {
  const all: AuditEntrySummary[] = [];
  for (let afterEntry: number | null = 0; afterEntry !== null; ) {
    const page: AuditPage = await api.listCaseAudit({ caseId, limit: 1000, afterEntry });
    all.push(...page.entries);
    afterEntry = page.nextAfterEntry;
  }
  return all;
}

/** The file names the documents, and does not hold them. */
function Documents({ of: { caseId, documents, formerDocuments } }: { of: CaseExport }): ReactNode {
  const entryOf = ({ slot, revision, fileName }: CaseDocument, isFormer: boolean): ReactNode => (
    <li key={`${slot} ${revision}`}>
      <a href={linkTo('getCaseDocument', { caseId, slot, revision })} download>
        {fileName ?? inWords(slot)}
      </a>
      {isFormer ? <span className="muted">, replaced since</span> : null}
    </li>
  );
  return (
    <>
      <Notice tone="paid" title="The file was saved">
        {documents.length + formerDocuments.length === 0
          ? 'The applicant gave no documents.'
          : 'The documents belong to it, and are saved one by one:'}
      </Notice>
      <ul style={{ margin: 0 }}>
        {documents.map((document) => entryOf(document, false))}
        {formerDocuments.map((document) => entryOf(document, true))}
      </ul>
    </>
  );
}
