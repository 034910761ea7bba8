import { expect, test, vi } from 'vitest';
import type { ProcessExit } from '../../local/embedded/guarded-process.ts';
import { createSupervisor, type RunningService } from '../../local/embedded/supervisor.ts';
import { reports } from './temporary-folder.ts';
import { until } from '../helpers/until.ts';

interface FakeService extends RunningService {
  number: number;
  crash: () => void;
}

/** A service that records every start, and ends when the test says so. */
function fakeService(name: string, log: string[] = []) {
  const started: FakeService[] = [];
  const previous: (FakeService | undefined)[] = [];
  return {
    name,
    started,
    previous,
    describe: (running: FakeService) => `as number ${running.number}, data is kept`,
    start: (before?: FakeService): Promise<FakeService> => {
      let end: (exit: ProcessExit) => void = () => undefined;
      const exited = new Promise<ProcessExit>((resolve) => (end = resolve));
      const running: FakeService = {
        number: started.length + 1,
        exited,
        crash: () => end({ code: null, signal: 'SIGKILL' }),
        stop: () => {
          log.push(`stop ${name}`);
          end({ code: 0, signal: null });
          return Promise.resolve();
        },
        kill: () => {
          log.push(`kill ${name}`);
          end({ code: null, signal: 'SIGKILL' });
        },
      };
      started.push(running);
      previous.push(before);
      return Promise.resolve(running);
    },
  };
}

function aSupervisor() {
  let nowMs = 0;
  const { report, lines } = reports();
  const gaveUp: string[] = [];
  const supervisor = createSupervisor({
    report,
    onGaveUp: ({ name, reason }) => gaveUp.push(`${name} ${reason}`),
    now: () => nowMs,
    pause: () => Promise.resolve(),
  });
  return { supervisor, lines, gaveUp, pass: (ms: number) => (nowMs += ms) };
}

test('a crash is reported, and the service restarted with what ran before', async () => {
  const { supervisor, lines } = aSupervisor();
  const postgres = fakeService('Postgres');
  const first = await supervisor.start(postgres);
  first.crash();
  await until(() => postgres.started.length === 2);
  expect(lines).toEqual(['Postgres stopped unexpectedly (signal SIGKILL); restarting it as number 1, data is kept']);
  expect(postgres.previous).toEqual([undefined, first]);
});

test('after the sixth crash within a minute the service is not restarted, and the caller is notified', async () => {
  const { supervisor, lines, gaveUp } = aSupervisor();
  const postgres = fakeService('Postgres');
  await supervisor.start(postgres);
  for (let crash = 1; crash <= 5; crash += 1) {
    postgres.started.at(-1)?.crash();
    await until(() => postgres.started.length === crash + 1);
  }
  postgres.started.at(-1)?.crash();
  await until(() => gaveUp.length === 1);
  expect(postgres.started).toHaveLength(6);
  expect(gaveUp).toEqual(['Postgres stopped unexpectedly (signal SIGKILL)']);
  expect(lines.at(-1)).toContain('giving up');
});

test('crashes more than a minute ago do not count', async () => {
  const { supervisor, gaveUp, pass } = aSupervisor();
  const postgres = fakeService('Postgres');
  await supervisor.start(postgres);
  for (let crash = 1; crash <= 8; crash += 1) {
    postgres.started.at(-1)?.crash();
    await until(() => postgres.started.length === crash + 1);
    pass(13_000);
  }
  expect(gaveUp).toEqual([]);
});

test('a failed restart is retried, and counts', async () => {
  const { supervisor, lines, gaveUp } = aSupervisor();
  const postgres = fakeService('Postgres');
  let failures = 0;
  const first = await supervisor.start({
    ...postgres,
    start: (before?: FakeService) => {
      if (before === undefined) return postgres.start();
      failures += 1;
      return Promise.reject(new Error('its port is taken'));
    },
  });
  first.crash();
  await until(() => gaveUp.length === 1);
  expect(failures).toBe(5);
  expect(lines[1]).toContain('did not start again (its port is taken); restarting it');
});

test('a failed first start is thrown and not retried', async () => {
  const { supervisor, lines } = aSupervisor();
  const start = vi.fn(() => Promise.reject<FakeService>(new Error('no disk')));
  await expect(supervisor.start({ name: 'Postgres', start })).rejects.toThrow('no disk');
  expect(start).toHaveBeenCalledTimes(1);
  expect(lines).toEqual([]);
});

test('services stop in the reverse order of their start, and this is not taken for a crash', async () => {
  const { supervisor, lines } = aSupervisor();
  const log: string[] = [];
  for (const name of ['Postgres', 'Temporal', 'worker']) await supervisor.start(fakeService(name, log));
  await Promise.all([supervisor.stop(), supervisor.stop()]);
  expect(log).toEqual(['stop worker', 'stop Temporal', 'stop Postgres']);
  expect(lines).toEqual([]);
  await expect(supervisor.start(fakeService('server'))).rejects.toThrow('payrun is stopping');
});

test('a stop waits for a restart in progress and stops the new process', async () => {
  const { supervisor } = aSupervisor();
  const log: string[] = [];
  const postgres = fakeService('Postgres', log);
  let letStart: () => void = () => undefined;
  const restarting = new Promise<void>((resolve) => (letStart = resolve));
  const asked = vi.fn();
  const first = await supervisor.start({
    name: 'Postgres',
    start: async (before?: FakeService) => {
      if (before !== undefined) {
        asked();
        await restarting;
      }
      return postgres.start(before);
    },
  });
  first.crash();
  await until(() => asked.mock.calls.length === 1);
  const stopped = supervisor.stop();
  letStart();
  await stopped;
  expect(postgres.started).toHaveLength(2);
  expect(log).toEqual(['stop Postgres']);
});

test('a kill reaches every service', async () => {
  const { supervisor } = aSupervisor();
  const log: string[] = [];
  for (const name of ['Postgres', 'Temporal']) await supervisor.start(fakeService(name, log));
  supervisor.kill();
  expect(log.toSorted()).toEqual(['kill Postgres', 'kill Temporal']);
});
