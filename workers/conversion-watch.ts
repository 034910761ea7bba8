import type { Client } from '@temporalio/client';
import { conversionStart } from '../domain/treasury/conversion-start.ts';
import type { Database } from '../store/database/database.ts';
import { takeOrdersToWake } from '../store/treasury/order-watch.ts';

const LOOK_EVERY_MS = 5_000;

/** Twice as long as a workflow of an open order may wait before it looks again. */
const LOST_AFTER_MS = 2 * 3_600_000;

export interface ConversionWatch {
  stop(): Promise<void>;
}

/**
 * Starts workflows of orders to convert that could not be started when the order was placed, or were lost, and tells others what
 * people have decided if nobody could then. Several processes may do so. `warn` is called once when looking begins to fail.
 */
export function startConversionWatch(options: {
  database: Database;
  temporal: Client;
  warn: (message: string) => void;
  everyMs?: number;
}): ConversionWatch {
  const { database, temporal, warn, everyMs = LOOK_EVERY_MS } = options;
  let isFailing = false;
  let current: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      for (const order of await takeOrdersToWake(database, LOST_AFTER_MS)) {
        await temporal.workflow.signalWithStart('conversion', conversionStart(order));
      }
      isFailing = false;
    } catch {
      if (!isFailing) warn('workflows of conversions cannot be woken; it is tried again');
      isFailing = true;
    }
  };
  const timer = setInterval(() => {
    current ??= look().finally(() => {
      current = null;
    });
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}
