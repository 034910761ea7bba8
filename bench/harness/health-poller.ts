import { Agent, get } from 'node:http';
import { setInterval } from 'node:timers';

/**
 * A process that polls a server's health at fixed times, also while earlier requests are unanswered: a server that hangs
 * is measured from the time of each request. When its standard input ends, it prints the measurements as JSON.
 */
const [url = '', everyMs = '50'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const answeredMs: number[] = [];
const statuses: Record<string, number> = {};
/** The worst delay of this process's own timer: shorter delays of the server cannot be told from it. */
let latestTimerMs = 0;
let dueMs = performance.now();
let asked = 0;

process.stdout.write('polling\n');
const timer = setInterval(() => {
  dueMs += Number(everyMs);
  latestTimerMs = Math.max(latestTimerMs, performance.now() - dueMs);
  asked += 1;
  poll();
}, Number(everyMs));

function poll(): void {
  const startedMs = performance.now();
  const record = (status: string): void => {
    answeredMs.push(performance.now() - startedMs);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (dueMs === Number.POSITIVE_INFINITY && answeredMs.length === asked) print();
  };
  get(`${url}/health`, { agent }, (answer) => {
    answer.resume();
    answer.once('end', () => record(String(answer.statusCode)));
  }).once('error', () => record('failed'));
}

process.stdin.resume().once('end', () => {
  clearInterval(timer);
  dueMs = Number.POSITIVE_INFINITY;
  if (answeredMs.length === asked) print();
});

function print(): void {
  const sorted = answeredMs.toSorted((a, b) => a - b);
  const quantile = (share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  const over200Ms = sorted.filter((ms) => ms > 200).length;
  const measurements = {
    asked,
    statuses,
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
    over200Ms,
  };
  process.stdout.write(JSON.stringify({ ...measurements, latestTimerMs: Math.round(latestTimerMs) }));
  agent.destroy();
}
