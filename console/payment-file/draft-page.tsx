import { Button, Pagination, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Draft } from '../../api/payment-file/draft.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import { deleteDraft, readDraft, readDraftRows, submitDraft } from '../calls/draft-calls.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/figures.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Failed, Notice, Page } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress, useParam } from '../elements/use-address.ts';
import { beforeSubmission, type DraftEdits, editsOf } from './draft-edits.ts';
import { DraftTable } from './draft-table.tsx';
import { ProblemGroups } from './problem-groups.tsx';
import { ProblemList } from './problem-list.tsx';
import { Unplaced } from './unplaced-cells.tsx';
import { type Correction, useCorrection } from './use-correction.ts';
import './payment-file.css';

/** A refused file, corrected where it is wrong. It lives on the server: a reload loses nothing that was saved. */
export function DraftPage(): ReactNode {
  const draftId = useParam('draftId');
  return <OneDraft key={draftId} draftId={draftId} />;
}

function OneDraft({ draftId }: { draftId: string }): ReactNode {
  const draft = useQuery({ queryKey: ['draft', draftId], queryFn: ({ signal }) => readDraft(draftId, signal) });
  const correction = useCorrection(draftId, draft.data);
  return (
    <Page
      title={draft.data?.fileName ?? 'Draft'}
      under={draft.data === undefined ? undefined : <Under draft={draft.data} />}
      actions={draft.data === undefined ? undefined : <Actions draft={draft.data} edits={correction.edits} />}
    >
      <Loaded query={draft}>{(found) => <Correct draft={found} correction={correction} />}</Loaded>
    </Page>
  );
}

function Under({ draft }: { draft: Draft }): ReactNode {
  return (
    <>
      {counted(draft.rowCount, 'row')} · {counted(draft.problemCount, 'problem')} in {formatCount(draft.problemRows)} of
      them · saved <When at={draft.changedAt} /> · deleted <When at={draft.deletedAt} /> unless it is changed
    </>
  );
}

function Actions({ draft, edits }: { draft: Draft; edits: DraftEdits }): ReactNode {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const submit = useAction(() => submitDraft(draft.draftId, { revision: draft.revision, onInvalid: 'reject' }), {
    changes: [['draft', draft.draftId], ['drafts'], ['runs'], ['inbox']],
    then: ({ runId }: AcceptedSubmission) => void navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const toDo = beforeSubmission(draft, edits);
  const remove = useAction(() => deleteDraft(draft.draftId), {
    changes: [['drafts']],
    then: () => void navigate({ to: '/runs/new' }),
  });
  return (
    <>
      {submit.error === null ? null : <Failed error={submit.error} />}
      <Button variant="default" color="red" onClick={() => setDeleting(true)}>
        Delete …
      </Button>
      <Button disabled={toDo !== null} loading={submit.isRunning} onClick={() => submit.do(undefined)}>
        {toDo ?? 'Submit the run'}
      </Button>
      <ReasonDialog
        title={`Delete ${draft.fileName}?`}
        verb="Delete the draft"
        reason="none"
        isDangerous
        action={remove}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      >
        <p style={{ margin: 0 }}>Its rows and your corrections are gone then. Nothing of it was submitted.</p>
      </ReasonDialog>
    </>
  );
}

const PAGE_ROWS = 50;

const SHOWN = [
  { value: 'problems', label: 'With problems' },
  { value: 'warnings', label: 'With warnings' },
  { value: 'all', label: 'All rows' },
];

function Correct({ draft, correction }: { draft: Draft; correction: Correction }): ReactNode {
  const { draftId, revision } = draft;
  const queries = useQueryClient();
  const { edits, setEdits, save } = correction;
  const { search, change } = useAddress();
  const { only, code, column } = filterOf(search);
  const page = Number(search.page ?? 1);
  const query = { only, code, column, from: (page - 1) * PAGE_ROWS, limit: PAGE_ROWS };
  const rows = useQuery({
    queryKey: ['draft', draftId, 'rows', revision, query],
    queryFn: ({ signal }) => readDraftRows(draftId, query, signal),
    placeholderData: keepPreviousData,
  });
  const isBehind = rows.data !== undefined && rows.data.revision > revision;
  useEffect(() => {
    if (isBehind) void queries.invalidateQueries({ queryKey: ['draft', draftId], exact: true });
  }, [queries, draftId, isBehind]);
  return (
    <>
      {save.error === null ? null : <Failed error={save.error} />}
      {draft.problemCount === 0 ? (
        <Notice tone="paid" title="No problems are left">
          Submit the run: it is checked once more, and nothing is paid before it is approved.
        </Notice>
      ) : null}
      {draft.fileProblems.length === 0 ? null : (
        <ProblemList problems={draft.fileProblems} problemCount={draft.fileProblems.length} />
      )}
      <ProblemGroups draft={draft} isSaving={save.isRunning} onFill={(fill) => save.do({ fill: [fill] })} />
      <Filters />
      <Unplaced edits={edits} onSeen={() => setEdits({ ...edits, unplaced: [] })} />
      <Loaded query={rows}>
        {(found) =>
          found.total === 0 ? (
            <Blank title="No such row">
              {editsOf(edits).size > 0 ? <p>What you typed is under “All rows”.</p> : null}
              <Button
                variant="default"
                size="xs"
                onClick={() => change({ only: 'all', page: null, code: null, column: null })}
              >
                Show all rows
              </Button>
            </Blank>
          ) : (
            <>
              <DraftTable
                columns={draft.columns}
                fields={draft.fields}
                rows={found.rows}
                edits={edits}
                isOld={found.revision !== edits.revision}
                isSaving={save.isRunning}
                onEdits={setEdits}
                onSave={(cells) => save.do({ cells })}
                onRemove={(row) => save.do({ removeRows: [row] })}
              />
              <Pagination
                total={Math.ceil(found.total / PAGE_ROWS)}
                value={page}
                onChange={(next) => change({ page: next === 1 ? null : String(next) })}
                getControlProps={(control) => ({ 'aria-label': `${control} page` })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function filterOf(search: Readonly<Record<string, string | undefined>>) {
  const { only = 'problems', code = null, column = null } = search;
  return { only, code, column };
}

function Filters(): ReactNode {
  const { search, change } = useAddress();
  const { only, code, column } = filterOf(search);
  return (
    <div className="row spread">
      <SegmentedControl
        aria-label="Which rows"
        data={SHOWN}
        value={only}
        onChange={(value) =>
          change({ only: value === 'problems' ? null : value, page: null, code: null, column: null })
        }
      />
      {code === null ? null : (
        <Button size="xs" variant="default" onClick={() => change({ code: null, column: null, page: null })}>
          Only {column ?? code}: show all
        </Button>
      )}
    </div>
  );
}
