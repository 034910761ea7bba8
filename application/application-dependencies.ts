import type { Client } from '@temporalio/client';
import type { Database } from '../store/database/database.ts';
import type { Reviews } from './runs/reviews.ts';

/** What the application is built from. */
export interface ApplicationDependencies {
  database: Database;
  temporal: Client;
  /** The configured provider accounts; the first is the default. */
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

/** For use cases that show rows with their marks. */
export interface ReviewingDependencies extends ApplicationDependencies {
  reviews: Reviews;
}

export interface ApplicationSettings {
  /** A run that nobody decides on expires after this. */
  decisionWithinMs: number;
  /** The maximum of a run's payments that are begun and not yet funded. */
  windowSizeOf: (account: string) => number;
  /** How old the provider's lists (currencies, requirements) may be. */
  referenceMaxAgeMs: number;
  /** How long a submission waits for the provider's lists. */
  referenceTimeoutMs: number;
}
