import { spawnSync } from 'node:child_process';
import type { Benchmark, Measurements } from './benchmark.ts';

/** Every benchmark by its name on the command line. Only the one that runs is loaded. */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  accounts: async () => (await import('./accounts.ts')).accountsBenchmark,
  capacity: async () => (await import('./capacity.ts')).capacityBenchmark,
  console: async () => (await import('./console.ts')).consoleBenchmark,
  confirmation: async () => (await import('./confirmation.ts')).confirmationBenchmark,
  currencies: async () => (await import('./currencies.ts')).currenciesBenchmark,
  intake: async () => (await import('./intake.ts')).intakeBenchmark,
  limit: async () => (await import('./limit.ts')).limitBenchmark,
  onboarding: async () => (await import('./onboarding.ts')).onboardingBenchmark,
  reconciliation: async () => (await import('./reconciliation.ts')).reconciliationBenchmark,
  recovery: async () => (await import('./recovery.ts')).recoveryBenchmark,
  sandbox: async () => (await import('./sandbox.ts')).sandboxBenchmark,
  stop: async () => (await import('./stop.ts')).stopBenchmark,
  throughput: async () => (await import('./throughput.ts')).throughputBenchmark,
  versus: async () => (await import('./versus.ts')).versusBenchmark,
};

const report = (line: string): void => void process.stderr.write(`${line}\n`);

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined;
if (!load) {
  report(
    `npm run bench -- NAME [flags] [--json]: "${name}" is not a benchmark; use ${Object.keys(benchmarks).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  await runBenchmark(await load());
}

async function runBenchmark({ run, summary, usage }: Benchmark): Promise<void> {
  if (args.includes('--help')) {
    report(`${summary}\n\n  npm run bench -- ${name} ${usage} [--json]`);
    return;
  }
  try {
    const flags = args.filter((argument) => argument !== '--json');
    // The commit is read first: the tree may have another one when the measurements are there.
    const measured = { benchmark: [name, ...flags].join(' '), commit: commit() };
    const measurements: Measurements = { ...measured, ...(await run(flags, report)) };
    process.stdout.write(
      args.includes('--json') ? `${JSON.stringify(measurements, null, 2)}\n` : tableOf(measurements),
    );
  } catch (error) {
    report(`bench ${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** The commit that is measured, with `-dirty` if files differ from it; null outside a checkout. */
function commit(): string | null {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

/** One line per measurement, after the names of its groups. */
function tableOf(measurements: Measurements): string {
  const lines = measurementsOf(measurements, '');
  const width = Math.max(0, ...lines.map(([path]) => path.length));
  return lines.map(([path, measurement]) => `${path.padEnd(width)}  ${measurement}\n`).join('');
}

function measurementsOf(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, member]) => measurementsOf(member, path === '' ? key : `${path}.${key}`));
}
