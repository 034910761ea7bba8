import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Gate } from '../../api/gate/gate.ts';
import { api } from '../calls/api.ts';
import { Figure, When } from '../elements/figures.tsx';
import { counted, formatCount, formatDuration } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Facts, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useRate } from '../elements/use-rate.ts';
import { OperationsFrame } from './operations-frame.tsx';

const READ_EVERY_MS = 5_000;

type Waiting = NonNullable<Gate['waiting']>[number];

/** What is sent at each priority: as the requests of payments, onboarding and histories are ranked. */
const MEANINGS: Readonly<Record<number, string>> = {
  1: 'funding, confirming and looking up payments',
  2: 'creating payments, and reads that somebody waits for',
  3: 'quotes, beneficiaries, onboarding, conversions',
  4: 'onboarding reads without a webhook',
  5: 'the history of balances',
};

const WAITING: readonly Column<Waiting>[] = [
  { name: 'Priority', cell: ({ priority }) => <strong>{priority}</strong> },
  { name: 'What', cell: ({ priority }) => MEANINGS[priority] ?? '–' },
  { name: 'Waiting', align: 'right', cell: ({ count }) => formatCount(count) },
  { name: 'Oldest', align: 'right', cell: ({ oldestSeconds }) => formatDuration(oldestSeconds) },
];

/** How requests are let through to the provider, by account. */
export function GatePage(): ReactNode {
  const gates = useQuery({
    queryKey: ['gates'],
    queryFn: ({ signal }) => api.listGates({}, { signal }),
    refetchInterval: READ_EVERY_MS,
  });
  return (
    <OperationsFrame>
      <Loaded query={gates}>
        {({ gates: list, processes }) => (
          <>
            {list.map((gate) => (
              <GateSection key={gate.account} gate={gate} readAt={gates.dataUpdatedAt} />
            ))}
            {list.length === 0 ? (
              <Blank title="There is no account with the provider">
                <p>An administrator configures one; its gate appears here.</p>
              </Blank>
            ) : (
              <p className="muted">{counted(processes, 'process', 'processes')} registered at the gates.</p>
            )}
          </>
        )}
      </Loaded>
    </OperationsFrame>
  );
}

function GateSection({ gate, readAt }: { gate: Gate; readAt: number }): ReactNode {
  const rate = useRate(gate.requestsToday, readAt);
  const { account, limitPerSecond, slots, waiting } = gate;
  const inUse = slots.filter(({ holder }) => holder !== null).length;
  return (
    <Section title={`Account ${account}`} aside={<GateMark gate={gate} />}>
      <div className="row" style={{ gap: 32, marginBottom: 16 }}>
        <Figure label="Requests a second">
          {rate === null ? '–' : rate.toFixed(1)} <span className="muted">of {limitPerSecond || 'any number'}</span>
        </Figure>
        <Figure label="Slots in use">
          {inUse} <span className="muted">of {limitPerSecond || slots.length}</span>
        </Figure>
        <Figure label="Requests today, UTC">
          {formatCount(gate.requestsToday)} <span className="muted">of {formatCount(gate.limitPerDay)}</span>
        </Figure>
      </div>
      <Facts
        of={[
          ['Reserved for payments that have begun', `${formatCount(gate.reservedPerDay)} requests a day`],
          ['The limit is reset in', formatDuration(gate.dayEndsInSeconds)],
          [
            'Last refused by the provider',
            gate.pause === null ? (
              'never'
            ) : (
              <span key="pause">
                a pause of {formatDuration(gate.pause.forSeconds)} until <When at={gate.pause.until} isExact />
              </span>
            ),
          ],
          ['Holders of slots', holdersOf(gate) || 'none at this moment'],
        ]}
      />
      {waiting === null ? (
        <Notice tone="failed" title="How many requests wait is not known">
          Temporal does not answer. The gate itself works without it.
        </Notice>
      ) : waiting.length === 0 ? (
        <p className="muted">No requests are waiting.</p>
      ) : (
        <Table
          label={`Waiting for the account ${account}`}
          rows={waiting}
          columns={WAITING}
          keyOf={({ priority }) => String(priority)}
        />
      )}
    </Section>
  );
}

function GateMark({ gate: { pause, requestsToday, limitPerDay } }: { gate: Gate }): ReactNode {
  if (pause !== null && pause.secondsLeft > 0) {
    return <Mark tone="waiting">paused for another {formatDuration(pause.secondsLeft)}</Mark>;
  }
  if (limitPerDay > 0 && requestsToday >= limitPerDay) return <Mark tone="waiting">today’s limit is reached</Mark>;
  return <Mark tone="paid">open</Mark>;
}

/** `1a2b3c4d (slots 0, 2)`. */
function holdersOf({ slots }: Gate): string {
  const held = new Map<string, number[]>();
  for (const { holder, slot } of slots) if (holder !== null) held.set(holder, [...(held.get(holder) ?? []), slot]);
  return [...held].map(([holder, of]) => `${holder.slice(0, 8)} (slots ${of.join(', ')})`).join(', ');
}
