import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { RunningSandbox } from '../../../sandbox/server.ts';
import { type FaultStack, startFaultStack, temporalFolder } from '../fault-stack.ts';
import { untilWithin } from '../until-within.ts';
import { AHEAD_FILE, temporalAhead } from './build-temporal-ahead.ts';

/** Temporal's server starts again on a loaded machine. */
const STARTED_WITHIN_MS = 120_000;

/** The clock of a stack: that of Temporal's server, Postgres, payrun's processes and the provider. The machine's is left alone. */
export interface MovableClock {
  now(): number;
  /** Moves it forward to this instant. Temporal's server, which reads the time when it starts, is killed and started again. */
  moveTo(instantMs: number): Promise<void>;
  /** The same while Temporal's server is down. */
  moveWithoutTemporal(instantMs: number): Promise<void>;
}

/** A stack whose clock can be moved by `movableClock`. */
export async function startMovableStack(): Promise<FaultStack> {
  return startFaultStack({ temporalCli: await temporalAhead(), prepareDatabase: replaceClock });
}

export function movableClock(stack: FaultStack, sandbox: RunningSandbox): MovableClock {
  let aheadMs = 0;
  const moveWithoutTemporal = async (instantMs: number): Promise<void> => {
    // Whole seconds, and the same for all.
    const newAheadMs = Math.ceil((instantMs - Date.now()) / 1_000) * 1_000;
    if (newAheadMs < aheadMs) throw new Error('the clock would go back');
    sandbox.advance(newAheadMs - aheadMs);
    aheadMs = newAheadMs;
    await stack.database.query('update test_clock.ahead set by = make_interval(secs => $1)', [aheadMs / 1_000]);
    for (const process of ['server', ...stack.workers.keys()] as const) stack.setClock(process, aheadMs);
    const folder = temporalFolder(stack.home);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, AHEAD_FILE), String(aheadMs / 1_000));
  };
  return {
    now: () => Date.now() + aheadMs,
    moveWithoutTemporal,
    moveTo: async (instantMs) => {
      const { temporal } = stack.services;
      const killed = temporal.pid();
      const start = temporal.takeDown();
      await moveWithoutTemporal(instantMs);
      start();
      await untilWithin(STARTED_WITHIN_MS, "Temporal's server runs again", () =>
        Promise.resolve(![null, killed].includes(temporal.pid())),
      );
    },
  };
}

/** Has the functions by which SQL reads the clock add what a table says. Before there is anything that was compiled with them. */
async function replaceClock(ownerUrl: string): Promise<void> {
  const connection = new pg.Client({ connectionString: ownerUrl });
  await connection.connect();
  try {
    await connection.query(`
      create schema test_clock;
      create table test_clock.ahead as select interval '0' as by;
      grant usage on schema test_clock to public;
      grant select on test_clock.ahead to public`);
    for (const [name, volatility] of [
      ['clock_timestamp', 'volatile'],
      ['now', 'stable'],
    ]) {
      await connection.query(`
        alter function pg_catalog.${name}() rename to real_${name};
        create function pg_catalog.${name}() returns timestamptz language sql ${volatility} parallel safe
        as 'select pg_catalog.real_${name}() + (select by from test_clock.ahead)'`);
    }
  } finally {
    await connection.end();
  }
}
