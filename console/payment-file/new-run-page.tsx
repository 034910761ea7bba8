import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Draft, DraftList } from '../../api/payment-file/draft.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import { FileRefusedError } from '../../client/sdk/errors.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { counted, formatBytes, formatCount } from '../elements/formats.ts';
import { Failed, Notice, Page, Section, Skeleton } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { DropZone } from '../elements/drop-zone.tsx';
import { useSession } from '../shell/session.tsx';
import { AccountField } from './account-field.tsx';
import { Documents } from './documents.tsx';
import { FileColumns } from './file-columns.tsx';
import { ProblemList } from './problem-list.tsx';
import { accountToPayFrom, type Chosen, formOf } from './submission.ts';
import { SubmissionFailed } from './submission-failed.tsx';

/** A file becomes a run, or a draft that is corrected here. Nothing is paid by submitting. */
export function NewRunPage(): ReactNode {
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const usable = useSession().usableAccounts;
  const [chosenAccount, setAccount] = useState<string | null>(null);
  const account = accountToPayFrom(usable, chosenAccount);
  const chosen: Chosen | null = file === null ? null : { file, profile: null, files, account };
  const submit = useAction((given: Chosen) => submitOnce(given), {
    changes: [['runs'], ['inbox']],
    then: ({ runId }: AcceptedSubmission) => void navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const correct = useAction((given: Chosen) => api.addDraft({ form: formOf(given, null) }), {
    changes: [['drafts']],
    then: ({ draftId }: Draft) => void navigate({ to: `/drafts/${draftId}` }),
  });
  const choose = (picked: File): void => {
    submit.reset();
    correct.reset();
    setFile(picked);
  };
  const isBusy = submit.isRunning || correct.isRunning;
  return (
    <Page title="New run" under="A file of payments is checked row by row. Nothing is paid before it is approved.">
      <DropZone
        title={file === null ? 'Choose the payment file' : 'Choose another file'}
        hint="or drop it here. CSV or XLSX, at most 200 MB."
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        onFiles={([picked]) => picked !== undefined && choose(picked)}
      />
      {file === null ? (
        <>
          <Drafts />
          <FileColumns />
        </>
      ) : null}
      {chosen === null ? null : (
        <>
          <ChosenFiles file={chosen.file} files={files} onFiles={setFiles} />
          <AccountField usable={usable} account={account} onAccount={setAccount} />
          <div className="row">
            <Button loading={submit.isRunning} disabled={isBusy || account === null} onClick={() => submit.do(chosen)}>
              Check and submit
            </Button>
          </div>
          {submit.isRunning ? <Skeleton lines={3} label={`Checking ${chosen.file.name}`} /> : null}
          <Refused error={submit.error} isCorrecting={correct.isRunning} onCorrect={() => correct.do(chosen)} />
          {correct.error === null ? null : <Failed error={correct.error} />}
        </>
      )}
    </Page>
  );
}

/** One key for one file as it was chosen: pressed twice, or after a lost answer, it is the same run. */
const keys = new WeakMap<File, string>();

function submitOnce(given: Chosen): Promise<AcceptedSubmission> {
  const key = keys.get(given.file) ?? crypto.randomUUID();
  keys.set(given.file, key);
  return api.submitRun({ form: formOf(given, 'reject') }, { headers: { 'idempotency-key': key } });
}

function Refused(props: { error: unknown; isCorrecting: boolean; onCorrect: () => void }): ReactNode {
  const { error, isCorrecting, onCorrect } = props;
  if (error === null) return null;
  if (!(error instanceof FileRefusedError)) return <SubmissionFailed error={error} />;
  return (
    <Section title={`${counted(error.problemCount, 'problem')}: nothing was submitted`}>
      <div className="stack">
        <Notice tone="failed" title="The file was refused as a whole">
          <div className="row spread">
            <span>Correct it here, cell by cell or all rows at once; or in your own program, and choose it again.</span>
            <Button loading={isCorrecting} onClick={onCorrect}>
              Correct it here
            </Button>
          </div>
        </Notice>
        <ProblemList problems={error.problems} problemCount={error.problemCount} />
      </div>
    </Section>
  );
}

function ChosenFiles(props: {
  file: File;
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
}): ReactNode {
  const { file, files, onFiles } = props;
  return (
    <Section title={file.name} aside={<span className="muted">{formatBytes(file.size)}</span>}>
      <Documents
        documents={files.map(({ name, size }) => ({ name, aside: formatBytes(size) }))}
        onAdd={(added) => onFiles([...files.filter(({ name }) => !added.some((each) => each.name === name)), ...added])}
        onRemove={(name) => onFiles(files.filter((each) => each.name !== name))}
      />
    </Section>
  );
}

const DRAFTS: readonly Column<DraftList['drafts'][number]>[] = [
  {
    name: 'File',
    cell: ({ draftId, fileName }) => (
      <Link to={`/drafts/${draftId}`} className="main">
        {fileName}
      </Link>
    ),
  },
  { name: 'Rows', align: 'right', cell: ({ rowCount }) => formatCount(rowCount) },
  {
    name: 'Problems',
    align: 'right',
    cell: ({ problemCount }) => (problemCount === null ? 'cannot be read' : formatCount(problemCount)),
  },
  { name: 'Changed', align: 'right', cell: ({ changedAt }) => <When at={changedAt} /> },
  { name: 'Deleted on', align: 'right', isWideOnly: true, cell: ({ deletedAt }) => <When at={deletedAt} /> },
];

function Drafts(): ReactNode {
  const drafts = useQuery({
    queryKey: ['drafts'],
    queryFn: async ({ signal }) => (await api.listDrafts({}, { signal })).drafts,
  });
  if (drafts.data === undefined || drafts.data.length === 0) return null;
  return (
    <Section title="Files that you are correcting">
      <Table
        label="Drafts"
        rows={drafts.data}
        columns={DRAFTS}
        keyOf={({ draftId }) => draftId}
        hrefOf={({ draftId }) => `/drafts/${draftId}`}
      />
    </Section>
  );
}
