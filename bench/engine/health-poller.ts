import { Agent, get } from 'node:http';
import { setInterval } from 'node:timers';

/**
 * A process of its own that asks for a server's health again and again, whether or not it was answered: what a server
 * that stands still keeps waiting is counted from when it was asked. Once its standard input ends, it prints what it saw.
 */
const [url = '', everyMs = '50'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const answeredMs: number[] = [];
const statuses: Record<string, number> = {};
/** How late this process was itself: nothing shorter says anything about the server. */
let latestTimerMs = 0;
let dueMs = performance.now();
let asked = 0;

process.stdout.write('asking\n');
const timer = setInterval(() => {
  dueMs += Number(everyMs);
  latestTimerMs = Math.max(latestTimerMs, performance.now() - dueMs);
  asked += 1;
  ask();
}, Number(everyMs));

function ask(): void {
  const beganMs = performance.now();
  const seen = (status: string): void => {
    answeredMs.push(performance.now() - beganMs);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (dueMs === Number.POSITIVE_INFINITY && answeredMs.length === asked) print();
  };
  get(`${url}/health`, { agent }, (answer) => {
    answer.resume();
    answer.once('end', () => seen(String(answer.statusCode)));
  }).once('error', () => seen('failed'));
}

process.stdin.resume().once('end', () => {
  clearInterval(timer);
  dueMs = Number.POSITIVE_INFINITY;
  if (answeredMs.length === asked) print();
});

function print(): void {
  const sorted = answeredMs.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  const over200Ms = sorted.filter((ms) => ms > 200).length;
  const figures = { asked, statuses, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1), over200Ms };
  process.stdout.write(JSON.stringify({ ...figures, latestTimerMs: Math.round(latestTimerMs) }));
  agent.destroy();
}
