import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FileSummary } from '../../api/runs/supporting-file.ts';
import { api, linkTo } from '../calls/api.ts';
import { formatBytes } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank } from '../elements/page.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useParam } from '../elements/use-address.ts';
import { RunFrame } from './run-frame.tsx';

/** The supporting files of a run. They are saved, never shown: they come from outside. */
export function FilesPage(): ReactNode {
  const runId = useParam('runId');
  const files = useQuery({
    queryKey: ['run', runId, 'files'],
    queryFn: ({ signal }) => api.listFiles({ runId }, { signal }),
  });
  const columns: readonly Column<FileSummary>[] = [
    {
      name: 'File',
      compare: (one, other) => compareText(one.name, other.name),
      cell: ({ name }) => (
        <a className="main" href={linkTo('getFile', { runId, name })} download>
          {name}
        </a>
      ),
    },
    { name: 'Kind', cell: ({ contentType }) => contentType },
    {
      name: 'Size',
      align: 'right',
      compare: (one, other) => one.sizeBytes - other.sizeBytes,
      cell: ({ sizeBytes }) => formatBytes(sizeBytes),
    },
    { name: 'SHA-256', isWideOnly: true, cell: ({ sha256 }) => <code className="mono">{sha256.slice(0, 16)}…</code> },
  ];
  return (
    <RunFrame>
      {() => (
        <Loaded query={files}>
          {({ files: list }) =>
            list.length === 0 ? (
              <Blank title="No supporting files">
                <p>Rows name their documents in the column supporting_files; they are given with the payment file.</p>
              </Blank>
            ) : (
              <Table label="Supporting files" rows={list} columns={columns} keyOf={({ name }) => name} />
            )
          }
        </Loaded>
      )}
    </RunFrame>
  );
}
