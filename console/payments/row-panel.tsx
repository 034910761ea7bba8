import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ActionableRow } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { rowTextsIn } from '../../domain/runs/run-sentences.ts';
import { runHasEnded } from '../../domain/runs/run-state.ts';
import { AccountFacts } from '../approvals/account-change.tsx';
import { api, linkTo } from '../calls/api.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import { CalendarDay, Money } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Facts, Notice } from '../elements/page.tsx';
import { StateText } from '../elements/state-text.tsx';
import { RowStateMark } from '../runs/run-states.tsx';
import { InTheBook } from './in-the-book.tsx';
import { ReleaseRow } from './release-row.tsx';
import { standsOut } from './row-columns.tsx';
import { ResolveRow } from './resolve-row.tsx';
import { AmountGot, AmountSpent } from './row-amounts.tsx';
import { RowTimeline } from './row-timeline.tsx';
import { beneficiaryOf, instructionFields } from './row-words.ts';

/** One row: what is to be paid on one side, what became of it on the other. */
export function RowPanel(props: { run: RunDetail; line: string | null; onClose: () => void }): ReactNode {
  const { run, line, onClose } = props;
  const row = useQuery({
    queryKey: ['run', run.runId, 'row', line],
    queryFn: ({ signal }) => api.getRowByLine({ runId: run.runId, line: Number(line) }, { signal }),
    enabled: line !== null,
    // A run that was cancelled keeps its unknown rows, and several people may look at one.
    refetchInterval: ({ state }) => (!runHasEnded(run.state) || state.data?.state === 'unknown' ? 5_000 : false),
  });
  return (
    <Drawer
      opened={line !== null}
      onClose={onClose}
      position="right"
      size="min(860px, 100vw)"
      title={row.data === undefined ? `Line ${line ?? ''}` : `${row.data.rowRef}, line ${row.data.line}`}
      closeButtonProps={{ 'aria-label': 'Close the row' }}
    >
      {line === null ? null : (
        <Loaded query={row}>{(found) => <Row key={`${run.runId}/${found.line}`} run={run} row={found} />}</Loaded>
      )}
    </Drawer>
  );
}

function Row({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  const texts = rowTextsIn(run.state, row.state);
  return (
    <div className="stack" style={{ gap: 16 }}>
      <Notice tone={texts.tone} title={<RowStateMark state={row.state} run={run.state} />}>
        <StateText of={texts} />
        {row.errorMessage === null && row.errorCode === null ? null : (
          <div>
            <strong>{row.errorMessage ?? inWords(row.errorCode ?? '')}</strong>
          </div>
        )}
      </Notice>
      <InTheBook run={run} row={row} />
      <ReleaseRow run={run} row={row} />
      <ResolveRow run={run} row={row} />
      <div className="row-sides">
        <Instruction run={run} row={row} />
        <RowTimeline row={row} />
      </div>
    </div>
  );
}

function Instruction({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  if (row.asSubmitted !== null) {
    return (
      <section className="stack" aria-label="As submitted">
        <strong>What the sheet says, which is not paid</strong>
        <Facts of={row.asSubmitted.map(({ header, text }) => [header, text])} />
      </section>
    );
  }
  return (
    <section className="stack" aria-label="Instruction">
      <Facts
        of={[
          ['Beneficiary', beneficiaryOf(row)],
          ['They get', <AmountGot key="b" row={row} />],
          ['We spend', <AmountSpent key="s" row={row} />],
          row.delivery === null
            ? null
            : [`The payee reads (${row.delivery.by})`, <Delivery key="d" of={row.delivery} />],
          row.expected.fees === null
            ? null
            : ['Fees, expected', <Money key="f" amount={row.expected.fees} currency={row.sellCurrency} />],
          ['Reference', row.reference],
          ['Purpose', [row.purpose, row.purposeDescription].filter((text) => text !== null).join(', ')],
          row.payOn === null ? null : ['To be paid on', <CalendarDay key="d" day={row.payOn} />],
          ['Stands out', standsOut(row) || 'nothing'],
        ]}
      />
      {row.isMasked ? (
        <Notice tone="neutral">Bank details are shown to people who make and approve runs, and to auditors.</Notice>
      ) : null}
      {row.bankAccount === null ? null : <AccountFacts account={row.bankAccount} />}
      <Settings row={row} />
      {(row.files ?? []).map((file) => (
        <a key={file} href={linkTo('getFile', { runId: run.runId, name: file })} download>
          {file}
        </a>
      ))}
      {row.instruction === null ? null : (
        <details>
          <summary className="small">All that an approval covers</summary>
          <Facts of={instructionFields(row.instruction)} />
        </details>
      )}
    </section>
  );
}

function Settings({ row }: { row: ActionableRow }): ReactNode {
  const settings = Object.entries(row.settings ?? {});
  return settings.length === 0 ? null : <Facts of={settings.map(([name, value]) => [inWords(name), value] as const)} />;
}

/** As it arrives, with what is cut off struck through. */
function Delivery({ of }: { of: NonNullable<RowSummary['delivery']> }): ReactNode {
  const parts = [
    [of.name, of.nameCut],
    [of.reference, of.referenceCut],
  ] as const;
  return (
    <>
      {parts.map(([text, cut], n) => (
        <div key={n === 0 ? 'name' : 'reference'}>
          {text}
          {cut === '' ? null : <del className="muted"> {cut}</del>}
        </div>
      ))}
      {of.lost === '' ? null : <div className="muted small">Not carried: {of.lost}</div>}
    </>
  );
}
