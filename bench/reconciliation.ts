import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { identifyEntries } from '../domain/accounts/history-entry.ts';
import { DAY_MS, DayGenerator } from '../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../fixtures/reconciliation/planted-day.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import type { InputLine, ReconcileMeasurements } from './harness/reconcile-process.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const PROCESS = fileURLToPath(new URL('harness/reconcile-process.ts', import.meta.url));
/** MiB. Without them Node lets unused memory grow before it collects any. */
const HEAP_LIMITS = ['--max-old-space-size=400', '--max-semi-space-size=4'];
const FIRST_DAY = Date.UTC(2026, 2, 2);
const MOVEMENTS_PER_DAY = 5_000;
/** Each day is reconciled at six in the morning after. Then entries of the day before it are no longer open. */
const AS_OF_MS = 1.25 * DAY_MS;

/** How long days take to reconcile, one after another, and how much memory. */
export const reconciliationBenchmark: Benchmark = {
  summary: 'Seconds and memory to reconcile days of 5,000 movements, the first with two of each break.',
  usage: '[--days 1,100] [--movements-a-day 5000] [--seed 1]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        days: { type: 'string', default: '1,100' },
        'movements-a-day': { type: 'string', default: String(MOVEMENTS_PER_DAY) },
        seed: { type: 'string', default: '1' },
      },
    });
    const measurements: Record<string, Measurements> = {};
    for (const text of values.days.split(',')) {
      const days = wholeNumber('days', text, 1);
      measurements[days === 1 ? 'oneDay' : `days${days}`] = await measure(
        {
          days,
          movementsPerDay: wholeNumber('movements-a-day', values['movements-a-day'], MOVEMENTS_PER_DAY),
          seed: wholeNumber('seed', values.seed, 0),
        },
        report,
      );
    }
    return { ...measurements, machine: machine() };
  },
};

interface Size {
  days: number;
  movementsPerDay: number;
  seed: number;
}

async function measure(size: Size, report: (line: string) => void): Promise<Measurements> {
  const folder = await mkdtemp(join(tmpdir(), 'payrun-bench-'));
  try {
    const file = join(folder, 'days.jsonl');
    report(`reconciliation: writing ${size.days} days`);
    const counted = { movements: 0 };
    await pipeline(() => inputLines(size, counted), createWriteStream(file));
    const processorPressure = watchProcessorPressure();
    const { stdout } = await promisify(execFile)(process.execPath, [...HEAP_LIMITS, '--import', 'tsx', PROCESS, file]);
    const measured = JSON.parse(stdout) as ReconcileMeasurements;
    report(`reconciliation: ${counted.movements} movements in ${measured.secondsToReconcile} s`);
    return { ...counted, ...measured, processorPressure: processorPressure() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The days, and one without anything at the end, when the last one is no longer open. */
function* inputLines({ days, movementsPerDay, seed }: Size, counted: { movements: number }): Generator<string> {
  const written = (line: InputLine): string => `${JSON.stringify(line)}\n`;
  let opening: ReadonlyMap<string, bigint> | undefined;
  for (let number = 0; number < days; number += 1) {
    const dayMs = FIRST_DAY + number * DAY_MS;
    const Generator = number === 0 ? PlantedDayGenerator : DayGenerator;
    const day = new Generator(seed + number, dayMs, opening).generate(movementsPerDay);
    opening = day.closing;
    counted.movements += day.lines.length;
    yield written({ terms: { balances: day.balances, asOfMs: dayMs + AS_OF_MS } });
    for (const entry of identifyEntries(day.lines.map(({ line }) => ({ ...line, providerId: line.id })))) {
      const { entryId, date, currency, amountBefore, amountAfter, type, transactionId } = entry;
      yield written({ movement: { entryId, date, currency, amountBefore, amountAfter, type, transactionId } });
    }
    for (const fact of day.facts) yield written({ fact });
    for (const fact of day.listed) yield written({ listed: fact });
  }
  yield written({ terms: { balances: {}, asOfMs: FIRST_DAY + (days + 3) * DAY_MS } });
}
