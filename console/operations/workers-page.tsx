import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Workers } from '../../api/rate-limiter/rate-limiter.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { OperationsFrame } from './operations-frame.tsx';

type Worker = Workers['workers'][number];
type Version = Workers['versions'][number];

const TONES: Readonly<Record<Version['status'], Tone>> = {
  current: 'paid',
  ramping: 'moving',
  draining: 'waiting',
  drained: 'neutral',
  inactive: 'neutral',
};

const MEANINGS: Readonly<Record<Version['status'], string>> = {
  current: 'new payments start on it',
  ramping: 'has a share of new payments',
  draining: 'only payments that started on it are left',
  drained: 'none are left on it',
  inactive: 'was never current',
};

const WORKERS: readonly Column<Worker>[] = [
  { name: 'Worker', cell: ({ identity }) => <strong className="mono">{identity}</strong> },
  { name: 'Version', cell: ({ buildId }) => <span className="mono">{buildId ?? '–'}</span> },
  { name: 'Polls', cell: ({ queues }) => queues.join(', ') },
  { name: 'Last seen', align: 'right', cell: ({ lastSeenAt }) => <When at={lastSeenAt} isExact /> },
];

const VERSIONS: readonly Column<Version>[] = [
  { name: 'Version', cell: ({ buildId }) => <strong className="mono">{buildId}</strong> },
  { name: 'State', cell: ({ status }) => <Mark tone={TONES[status]}>{status}</Mark> },
  { name: 'Meaning', isWideOnly: true, cell: ({ status }) => MEANINGS[status] },
  { name: 'Open payments', align: 'right', cell: ({ openPayments }) => formatCount(openPayments) },
  { name: 'First seen', align: 'right', cell: ({ firstSeenAt }) => <When at={firstSeenAt} /> },
];

/** Who sends requests and decides what comes next, and on which version of payrun. */
export function WorkersPage(): ReactNode {
  const workers = useQuery({
    queryKey: ['workers'],
    queryFn: ({ signal }) => api.listWorkers({}, { signal }),
    refetchInterval: 10_000,
  });
  return (
    <OperationsFrame>
      <Loaded query={workers}>
        {(found) => (
          <>
            {found.unservedQueues.length === 0 ? null : (
              <Notice tone="failed" title={`Nobody polls ${found.unservedQueues.join(', ')}`}>
                What is in such a queue waits until a worker is started: <code className="mono">payrun worker</code>.
              </Notice>
            )}
            <Section title="Workers">
              {found.workers.length === 0 ? (
                <Blank title="No worker was seen in the last minutes">
                  <p>Nothing is paid until one runs.</p>
                </Blank>
              ) : (
                <Table
                  label="Workers"
                  rows={found.workers}
                  columns={WORKERS}
                  keyOf={({ identity, buildId }) => `${identity} ${buildId ?? ''}`}
                />
              )}
            </Section>
            <Section title="Versions">
              {found.versions.length === 0 ? (
                <Blank title="No worker has ever connected">
                  <p>
                    Start one where the database and Temporal can be reached:{' '}
                    <code className="mono">payrun worker</code>.
                  </p>
                </Blank>
              ) : (
                <Table label="Versions" rows={found.versions} columns={VERSIONS} keyOf={({ buildId }) => buildId} />
              )}
            </Section>
          </>
        )}
      </Loaded>
    </OperationsFrame>
  );
}
