import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openAsBlob } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse';
import { readFileToCheck } from '../application/payment-file/check-payment-file.ts';
import { type Benchmark, type Measurements, wholeNumber } from './benchmark.ts';
import type { PaymentRow } from '../fixtures/payment-rows.ts';
import { type FileForm, writeBenchFile } from './harness/bench-file.ts';
import { benchRow } from './harness/bench-rows.ts';
import { type BenchStack, startBenchStack } from './harness/bench-stack.ts';
import { beginMonitoring, readMonitors } from './harness/process-monitors.ts';
import { startResourceMeter } from './harness/resource-meter.ts';
import { until } from './harness/until.ts';
import { machine, watchProcessorPressure } from './machine.ts';

const POLLER = fileURLToPath(new URL('harness/health-poller.ts', import.meta.url));
const HEALTH_EVERY_MS = 50;
const PROPOSED = { everyMs: 200, withinMs: 1_800_000, otherwise: 'the run was not proposed' };

/** How long a large file takes until its run can be approved, and whether the server answers others meanwhile. */
export const intakeBenchmark: Benchmark = {
  summary: "Seconds until a large file is proposed, the server's answers meanwhile, and rows a second of results.csv.",
  usage: '[--rows 100000] [--form csv] [--only tenBeneficiaries,allBeneficiaries]',
  run: async (args, report) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rows: { type: 'string', default: '100000' },
        form: { type: 'string', default: 'csv' },
        only: { type: 'string' },
      },
    });
    const rows = wholeNumber('rows', values.rows, 10);
    const { form } = values;
    if (form !== 'csv' && form !== 'xlsx') throw new Error(`--form: takes csv or xlsx, not "${form}"`);
    const beneficiaries: Readonly<Record<string, number>> = { tenBeneficiaries: 10, allBeneficiaries: rows };
    const measurements: Record<string, Measurements> = {};
    for (const name of values.only?.split(',') ?? Object.keys(beneficiaries)) {
      const count = beneficiaries[name];
      if (count === undefined) throw new Error(`--only: takes ${Object.keys(beneficiaries).join(', ')}, not "${name}"`);
      report(`intake: ${rows} rows to ${count} beneficiaries`);
      const rowAt = (index: number): PaymentRow => benchRow(index, name, 100, count);
      measurements[name] = await measure({ form, count: rows, rowAt }, report);
      report(`intake: ${name}: ${JSON.stringify(measurements[name])}`);
    }
    return { ...measurements, rows, machine: machine() };
  },
};

interface File {
  form: FileForm;
  count: number;
  rowAt: (index: number) => PaymentRow;
}

/** On a new stack that has received no other file. */
async function measure(file: File, report: (line: string) => void): Promise<Measurements> {
  const stack = await startBenchStack({ requestsPerSecond: 0, sandboxFlags: [], isMonitored: true, report });
  try {
    const worker = await stack.startWorker();
    const path = join(stack.home, `bench.${file.form}`);
    const bytes = await writeBenchFile(path, file.form, file);
    const meter = startResourceMeter({ worker: worker.pid, ...stack.pids });
    const processorPressure = watchProcessorPressure();
    const requestsBefore = (await stack.sandbox.ledger()).requests.total;
    beginMonitoring(stack.home);
    const { done: intake, health } = await whilePolled(stack, () => propose(stack, path, report));
    const requests = (await stack.sandbox.ledger()).requests.total - requestsBefore;
    const resources = meter.stop(file.count);
    const processes = {
      server: readMonitors(stack.home, stack.pids.server),
      worker: readMonitors(stack.home, worker.pid),
    };
    const results = await download(stack, intake.runId, file.count);
    const { secondsToAccepted, secondsToProposed } = intake;
    return {
      ...{ secondsToAccepted, secondsToProposed, requests, processes, health, results },
      reading: await readAlone(path, bytes, file),
      fileMiB: rounded(bytes / 2 ** 20),
      processorPressure: processorPressure(),
      resources,
    };
  } finally {
    await stack.stop();
  }
}

/** Rows a second of the first reading of the file, which keeps none, in this process; of CSV also those of csv-parse. */
async function readAlone(path: string, sizeBytes: number, { form, count }: File): Promise<Measurements> {
  const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now();
    await work();
    return Math.round((count * 1000) / (performance.now() - startedMs));
  };
  const byPayrun = await perSecond(async () => {
    const read = await readFileToCheck({ file: { path, sizeBytes }, profile: null, rowNumbers: null });
    if (read.kind === 'refused') throw new Error('the file cannot be read');
  });
  if (form === 'xlsx') return { byPayrun };
  const byCsvParse = await perSecond(async () => {
    const rows = createReadStream(path).pipe(parse());
    rows.resume();
    await once(rows, 'end');
  });
  return { byPayrun, byCsvParse };
}

async function propose(
  { maker }: BenchStack,
  path: string,
  report: (line: string) => void,
): Promise<{ runId: string } & Record<'secondsToAccepted' | 'secondsToProposed', number>> {
  const file = await openAsBlob(path);
  const startedMs = performance.now();
  const seconds = (): number => rounded((performance.now() - startedMs) / 1000);
  const { runId } = await maker.submitRun({ fileName: basename(path), file });
  const secondsToAccepted = seconds();
  report(`intake: accepted after ${secondsToAccepted} s`);
  await until(async () => {
    const { state } = await maker.getRun({ runId });
    if (state === 'failed') throw new Error('the run failed before it was proposed');
    return state === 'in_approval' || state === 'proposed';
  }, PROPOSED);
  return { runId, secondsToAccepted, secondsToProposed: seconds() };
}

async function download(stack: BenchStack, runId: string, rows: number): Promise<Measurements> {
  let lines = 0;
  let bytes = 0;
  const { done: seconds, health } = await whilePolled(stack, async () => {
    const startedMs = performance.now();
    for await (const piece of stack.maker.getResults({ runId })) {
      bytes += piece.length;
      for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) lines += 1;
    }
    return (performance.now() - startedMs) / 1000;
  });
  // One line is the header.
  if (lines !== rows + 1) throw new Error(`results.csv has ${lines} lines for ${rows} rows`);
  return { rowsPerSecond: Math.round(rows / seconds), seconds: rounded(seconds), bytes, health };
}

/** Asks for the server's health meanwhile, also where the work fails. */
async function whilePolled<Done>(
  stack: BenchStack,
  work: () => Promise<Done>,
): Promise<{ done: Done; health: Measurements }> {
  const poller = await startPoller(stack);
  try {
    const done = await work();
    return { done, health: await poller.stop() };
  } finally {
    poller.end();
  }
}

interface Poller {
  end(): void;
  stop(): Promise<Measurements>;
}

/** Resolves once the process polls, because its start alone keeps a processor busy. */
async function startPoller({ serverUrl }: BenchStack): Promise<Poller> {
  const poller = spawn(process.execPath, ['--import', 'tsx', POLLER, serverUrl, String(HEALTH_EVERY_MS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const lines = createInterface(poller.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    end: () => void poller.stdin.end(),
    stop: async () => {
      poller.stdin.end();
      const printed = await lines.next();
      if (printed.done === true) throw new Error('the health poller ended early');
      return JSON.parse(printed.value) as Measurements;
    },
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
