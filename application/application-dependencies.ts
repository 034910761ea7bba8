import type { Client } from '@temporalio/client';
import type { Database } from '../store/database/database.ts';
import type { Reviews } from './runs/run-review.ts';

/** What the application is built from. */
export interface ApplicationDependencies {
  database: Database;
  temporal: Client;
  /** The configured provider accounts, the first being the one that is meant when none is named. */
  accounts: readonly {
    name: string;
    requestsPerSecond: number;
    requestsPerDay: number;
    requestsReservedPerDay: number;
  }[];
  /** Milliseconds since the epoch. */
  now: () => number;
  settings: ApplicationSettings;
}

/** For what shows rows with what stands out in them. */
export interface ReviewingDependencies extends ApplicationDependencies {
  reviews: Reviews;
}

export interface ApplicationSettings {
  /** A run that nobody decides on expires after this. */
  decisionWithinMs: number;
  /** Payments of a run begun and not yet funded, at most. */
  windowSizeOf: (account: string) => number;
  /** How old the provider's lists (currencies, requirements) may be. */
  referenceMaxAgeMs: number;
  /** How long a submission waits for the provider's lists. */
  referenceTimeoutMs: number;
}
