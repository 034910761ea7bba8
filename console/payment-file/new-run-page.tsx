import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Draft } from '../../api/payment-file/draft.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import { FileRefusedError } from '../../client/sdk/errors.ts';
import { api } from '../calls/api.ts';
import { counted, formatBytes } from '../elements/formats.ts';
import { Failed, Notice, Page, Section, Skeleton } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { DropZone } from '../elements/drop-zone.tsx';
import { useSession } from '../shell/session.tsx';
import { AccountField } from './account-field.tsx';
import { Documents } from './documents.tsx';
import { Drafts } from './draft-list.tsx';
import { FileColumns } from './file-columns.tsx';
import { ProblemList } from './problem-list.tsx';
import { FileRemarks } from './reading-file.tsx';
import { isPlainlyOurs, leftToDecide, type Profile } from './reading-profile.ts';
import { ReadingRefused } from './reading-refused.tsx';
import { ReadingSection } from './reading-section.tsx';
import { accountToPayFrom, type Chosen, formOf, keyOf } from './submission.ts';
import { SubmissionFailed } from './submission-failed.tsx';
import { useOnceRead } from './use-once-read.ts';
import { type Asked, type SheetReading, useReading } from './use-reading.ts';

/** A file becomes a run, or a draft that is corrected here. Nothing is paid by submitting. */
export function NewRunPage(): ReactNode {
  const usable = useSession().usableAccounts;
  const [chosenAccount, setAccount] = useState<string | null>(null);
  const account = accountToPayFrom(usable, chosenAccount);
  const reading = useReading(account);
  const [files, setFiles] = useState<readonly File[]>([]);
  const { asked } = reading;
  return (
    <Page title="New run" under="A file of payments is checked row by row. Nothing is paid before it is approved.">
      <DropZone
        title={asked === null ? 'Choose the payment file' : 'Choose another file'}
        hint="or drop it here. Any CSV or XLSX, as your program exports it, or a payment order (pain.001), at most 500 MB."
        accept=".csv,.tsv,.txt,.xlsx,.xml,text/csv"
        isSmall={asked !== null}
        onFiles={([picked]) => picked !== undefined && reading.choose(picked)}
      />
      {asked === null ? (
        <>
          <Drafts />
          <FileColumns />
        </>
      ) : (
        <>
          <ChosenFiles file={asked.file} files={files} onFiles={setFiles} />
          <ReadFile key={asked.fileId} {...{ reading, asked, files, account }}>
            <AccountField usable={usable} account={account} onAccount={setAccount} />
          </ReadFile>
        </>
      )}
    </Page>
  );
}

/** What is still to be decided about the file, then its submission. */
function ReadFile(props: {
  reading: SheetReading;
  asked: Asked;
  files: readonly File[];
  account: string | null;
  children: ReactNode;
}): ReactNode {
  const { reading, asked, files, account, children } = props;
  const { proposal, profile } = reading;
  if (reading.error !== null) return <ReadingRefused reading={reading} />;
  if (proposal === null || profile === null) return <Skeleton lines={3} label={`Reading ${asked.file.name}`} />;
  const isOurs = isPlainlyOurs(proposal);
  const isUntouched = isOurs && asked.before === null;
  return (
    <>
      {isOurs ? <FileRemarks proposal={proposal} /> : <ReadingSection {...{ reading, proposal, profile }} />}
      {children}
      <Submission
        {...{ reading, files, account }}
        file={asked.file}
        // The server knows our own columns.
        profile={isUntouched ? null : profile}
        toDecide={leftToDecide(proposal)}
      />
    </>
  );
}

function Submission(props: {
  reading: SheetReading;
  file: File;
  files: readonly File[];
  account: string | null;
  profile: Profile | null;
  toDecide: readonly string[];
}): ReactNode {
  const { reading, file, files, account, profile, toDecide } = props;
  const navigate = useNavigate();
  const chosen: Chosen = { file, profile, files, account };
  const submit = useAction(
    (given: Chosen) =>
      api.submitRun({ form: formOf(given, 'reject') }, { headers: { 'idempotency-key': keyOf(given) } }),
    {
      changes: [['runs'], ['inbox']],
      then: ({ runId }: AcceptedSubmission) => void navigate({ to: '/runs/$runId', params: { runId } }),
    },
  );
  const correct = useAction((given: Chosen) => api.addDraft({ form: formOf(given, null) }), {
    changes: [['drafts']],
    then: ({ draftId }: Draft) => void navigate({ to: `/drafts/${draftId}` }),
  });
  // What was refused before another decision says nothing of it.
  const [triedId, setTriedId] = useState<string | null>(null);
  const isOfThis = triedId === reading.asked?.id;
  const isBusy = submit.isRunning || correct.isRunning;
  const isReady = !isBusy && account !== null && toDecide.length === 0;
  const { start, isWaiting } = useOnceRead(reading, (work: Work) => {
    if (!isReady) return;
    setTriedId(reading.asked?.id ?? null);
    if (work === 'correct') correct.do(chosen);
    else submit.do(work === 'check' ? { ...chosen, checkOnly: true } : chosen);
  });
  return (
    <>
      <div className={profile === null ? 'row' : 'sticky-actions'}>
        {profile === null ? null : <span role="status">{statusOf(reading, toDecide)}</span>}
        <span className="row">
          {reading.undo === null ? null : (
            <Button variant="default" disabled={isBusy || reading.isAsking} onClick={reading.undo}>
              Undo
            </Button>
          )}
          {profile === null ? null : (
            <Button variant="default" disabled={!isReady} onClick={() => start('correct')}>
              Correct it here
            </Button>
          )}
          <Button variant="default" disabled={!isReady} onClick={() => start('check')}>
            Check only
          </Button>
          <Button loading={submit.isRunning || isWaiting} disabled={!isReady} onClick={() => start('submit')}>
            Check and submit
          </Button>
        </span>
      </div>
      {submit.isRunning ? <Skeleton lines={3} label={`Checking ${file.name}`} /> : null}
      <Refused
        error={isOfThis ? submit.error : null}
        isCorrecting={correct.isRunning}
        onCorrect={profile === null ? () => start('correct') : null}
      />
      {correct.error === null || !isOfThis ? null : <Failed error={correct.error} />}
    </>
  );
}

type Work = 'submit' | 'check' | 'correct';

const NAMED = 3;

function statusOf({ isAsking }: SheetReading, toDecide: readonly string[]): string {
  if (isAsking) return 'Reading it again …';
  if (toDecide.length === 0) return 'Nothing is left to decide';
  const others = toDecide.length - NAMED;
  return `Left to decide: ${toDecide.slice(0, NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

function Refused(props: { error: unknown; isCorrecting: boolean; onCorrect: (() => void) | null }): ReactNode {
  const { error, isCorrecting, onCorrect } = props;
  const place = useRef<HTMLDivElement>(null);
  // Below a long sheet, it would not be seen.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  if (error === null) return null;
  if (!(error instanceof FileRefusedError)) return <SubmissionFailed error={error} />;
  return (
    <Section title={`${counted(error.problemCount, 'problem')}: nothing was submitted`}>
      <div className="stack">
        <div ref={place}>
          <Notice tone="failed" title="The file was refused as a whole">
            <div className="row spread">
              <span>
                Correct it here, cell by cell or all rows at once; or in your own program, and choose it again.
              </span>
              {onCorrect === null ? null : (
                <Button loading={isCorrecting} onClick={onCorrect}>
                  Correct it here
                </Button>
              )}
            </div>
          </Notice>
        </div>
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
