import { Button, Pagination, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { Draft, DraftRowsQuery } from '../../api/payment-file/draft.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Failed, Notice, Page } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAddress, useParam } from '../elements/use-address.ts';
import { DraftActions } from './draft-actions.tsx';
import { DraftDocuments } from './draft-documents.tsx';
import { countOf, pendingOf, typed, withStep } from './draft-edits.ts';
import { DraftTable, SaveBar } from './draft-table.tsx';
import { cellsToFill } from './fill-rows.ts';
import { LeaveUnsaved } from './leave-unsaved.tsx';
import { type Fill, ProblemGroups } from './problem-groups.tsx';
import { ProblemList } from './problem-list.tsx';
import { rowsInWords } from './rows-in-words.ts';
import { Unplaced } from './unplaced-cells.tsx';
import { type Correction, useCorrection } from './use-correction.ts';
import './payment-file.css';

/** A refused file, corrected where it is wrong. It lives on the server: a reload loses nothing that was saved. */
export function DraftPage(): ReactNode {
  const draftId = useParam('draftId');
  return <OneDraft key={draftId} draftId={draftId} />;
}

function OneDraft({ draftId }: { draftId: string }): ReactNode {
  const draft = useQuery({
    queryKey: ['draft', draftId],
    queryFn: ({ signal }) => api.getDraft({ draftId }, { signal }),
  });
  const correction = useCorrection(draftId, draft.data);
  return (
    <Page
      title={draft.data?.fileName ?? 'Draft'}
      under={draft.data === undefined ? undefined : <Under draft={draft.data} />}
      actions={draft.data === undefined ? undefined : <DraftActions draft={draft.data} edits={correction.edits} />}
    >
      <LeaveUnsaved count={countOf(pendingOf(correction.edits))} />
      <Loaded query={draft}>{(found) => <Correct draft={found} correction={correction} />}</Loaded>
    </Page>
  );
}

function Under({ draft }: { draft: Draft }): ReactNode {
  return (
    <>
      {counted(draft.rowCount, 'row')} · paid from {draft.account} · {counted(draft.problemCount, 'problem')} in{' '}
      {formatCount(draft.problemRows)} of them · saved <When at={draft.changedAt} /> · deleted{' '}
      <When at={draft.deletedAt} /> unless it is changed
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
  const { edits, setEdits, save } = correction;
  const fill = useAction(async ({ value, ...group }: Fill) => {
    const cells = await cellsToFill(draft, group, value, (query) =>
      api.listDraftRows({ draftId: draft.draftId, ...query }),
    );
    setEdits((latest) => typed(latest, cells));
  });
  return (
    <>
      {[save.error, fill.error].map((error, index) => (error === null ? null : <Failed key={index} error={error} />))}
      {draft.problemCount === 0 ? (
        <Notice tone="paid" title="No problems are left">
          Submit the run: it is checked once more, and nothing is paid before it is approved.
        </Notice>
      ) : null}
      {draft.fileProblems.length === 0 ? null : (
        <ProblemList problems={draft.fileProblems} problemCount={draft.fileProblems.length} />
      )}
      <ProblemGroups
        draft={draft}
        isFilling={fill.isRunning}
        onFill={fill.do}
        onLeaveOut={(rows) => setEdits((latest) => withStep(latest, { removed: rows }))}
      />
      <DraftDocuments draft={draft} />
      <Unplaced edits={edits} onSeen={() => setEdits((latest) => ({ ...latest, unplaced: [] }))} />
      <RemovedRows draft={draft} />
      <Filters hasRemoved={draft.removedRows.length > 0} />
      <Rows draft={draft} correction={correction} />
      <SaveBar edits={edits} isSaving={save.isRunning} onEdits={setEdits} onSave={save.do} />
    </>
  );
}

function RemovedRows({ draft: { removedRows } }: { draft: Draft }): ReactNode {
  const { change } = useAddress();
  if (removedRows.length === 0) return null;
  return (
    <Notice tone="waiting" title={`${counted(removedRows.length, 'row')} removed`}>
      <div className="row spread">
        <span>Not submitted with the others: {rowsInWords(removedRows)}.</span>
        <Button
          size="xs"
          variant="default"
          onClick={() => change({ only: 'removed', code: null, column: null, page: null })}
        >
          Show {removedRows.length === 1 ? 'it' : 'them'}
        </Button>
      </div>
    </Notice>
  );
}

function Rows({ draft, correction }: { draft: Draft; correction: Correction }): ReactNode {
  const { draftId, revision } = draft;
  const queries = useQueryClient();
  const { edits, setEdits } = correction;
  const { search, change } = useAddress();
  const { only, code, column } = filterOf(search);
  const page = Number(search.page ?? 1);
  const query = { only, code, column, from: (page - 1) * PAGE_ROWS, limit: PAGE_ROWS };
  const rows = useQuery({
    queryKey: ['draft', draftId, 'rows', revision, query],
    queryFn: ({ signal }) => api.listDraftRows({ draftId, ...query }, { signal }),
    placeholderData: keepPreviousData,
  });
  const lastPage = Math.max(1, Math.ceil((rows.data?.total ?? 0) / PAGE_ROWS));
  // What was corrected is no longer among those with problems: there may be fewer pages than before.
  const isPastEnd = rows.data !== undefined && rows.data.total > 0 && rows.data.rows.length === 0;
  useEffect(() => {
    if (isPastEnd) change({ page: lastPage === 1 ? null : String(lastPage) });
  }, [isPastEnd, lastPage, change]);
  const isBehind = rows.data !== undefined && rows.data.revision > revision;
  useEffect(() => {
    if (isBehind) void queries.invalidateQueries({ queryKey: ['draft', draftId], exact: true });
  }, [queries, draftId, isBehind]);
  return (
    <Loaded query={rows}>
      {(found) =>
        found.total === 0 ? (
          <Blank title="No such row">
            {countOf(pendingOf(edits)) > 0 ? <p>What you changed is under “All rows”.</p> : null}
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
              draft={draft}
              rows={found.rows}
              edits={edits}
              isFiltered={only !== 'all' || code !== null}
              isOld={found.revision !== edits.revision}
              onEdits={setEdits}
            />
            <Pagination
              total={lastPage}
              value={page}
              onChange={(next) => change({ page: next === 1 ? null : String(next) })}
              getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            />
          </>
        )
      }
    </Loaded>
  );
}

/** As the address has it: the server refuses what it does not know. */
function filterOf(
  search: Readonly<Record<string, string | undefined>>,
): Pick<DraftRowsQuery, 'only' | 'code' | 'column'> {
  const { only = 'problems', code = null, column = null } = search;
  return { only: only as DraftRowsQuery['only'], code, column };
}

function Filters({ hasRemoved }: { hasRemoved: boolean }): ReactNode {
  const { search, change } = useAddress();
  const { only, code, column } = filterOf(search);
  return (
    <div className="row spread">
      <SegmentedControl
        aria-label="Which rows"
        data={hasRemoved || only === 'removed' ? [...SHOWN, { value: 'removed', label: 'Removed' }] : SHOWN}
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
