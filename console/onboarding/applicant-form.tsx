import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApplicantProblem, ApplicantProblems } from '../../api/onboarding/applicant-problem.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { counted, formatBytes } from '../elements/formats.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { DropZone } from '../elements/drop-zone.tsx';

export interface GivenFiles {
  file: File | null;
  documents: readonly File[];
}

/** The file of an applicant, and the documents that it names. */
export function ApplicantFiles({
  given,
  onChange,
}: {
  given: GivenFiles;
  onChange: (given: GivenFiles) => void;
}): ReactNode {
  const { file, documents } = given;
  return (
    <div className="stack">
      <DropZone
        title={file === null ? 'Choose the file' : `${file.name}, ${formatBytes(file.size)}`}
        hint="or drop it here: a sheet (CSV or .xlsx) of one applicant a row, or one applicant as YAML or JSON."
        accept=".csv,.xlsx,.yaml,.yml,.json"
        onFiles={([chosen]) => onChange({ file: chosen ?? null, documents })}
      />
      <DropZone
        title="Add documents"
        hint="that the file names, at most 10 MB each."
        accept=".pdf,.png,.jpg,.jpeg"
        isMultiple
        onFiles={(added) => onChange({ file, documents: [...documents, ...added] })}
      />
      {documents.length === 0 ? null : (
        <div className="row">
          {documents.map(({ name }, index) => (
            <Button
              key={`${name}${index}`}
              size="compact-sm"
              variant="default"
              aria-label={`Remove ${name}`}
              onClick={() => onChange({ file, documents: documents.filter((_, each) => each !== index) })}
            >
              {name} ×
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

export function formOfFiles({ file, documents }: GivenFiles): FormData {
  const form = new FormData();
  if (file !== null) form.set('file', file, file.name);
  for (const document of documents) form.append('documents', document, document.name);
  return form;
}

const COLUMNS: readonly Column<ApplicantProblem>[] = [
  {
    name: 'Problem',
    cell: ({ field, problem, fix }) => (
      <>
        <strong>
          {field === null ? '' : `${field}: `}
          {problem}
        </strong>
        <div className="muted">{fix}</div>
      </>
    ),
  },
  { name: 'Applicant', cell: ({ applicantRef }) => applicantRef ?? '–' },
  { name: 'Line', align: 'right', cell: ({ line }) => line ?? '–' },
  { name: 'Value', cell: ({ value }) => value ?? '–' },
];

/** Why files of applicants were refused, by line and field. */
export function ApplicantsRefused({ error }: { error: unknown }): ReactNode {
  if (error === null) return null;
  if (!(error instanceof PayrunApiError) || error.code !== 'applicants_refused') return <Failed error={error} />;
  const { problems = [], problemCount = 0 } = (error.details ?? {}) as Partial<ApplicantProblems>;
  return (
    <div className="stack">
      <Notice tone="failed" title={`${counted(problemCount, 'problem')}: nothing was submitted`}>
        Correct the file, and choose it again.
      </Notice>
      <Table
        label="Problems"
        rows={problems}
        columns={COLUMNS}
        keyOf={({ line, field, code }) => `${line ?? ''}${field ?? ''}${code}`}
      />
    </div>
  );
}
