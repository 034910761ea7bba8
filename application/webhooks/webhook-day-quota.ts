import { dayOf } from '../../domain/calendar-date.ts';
import type { Database } from '../../store/database/database.ts';
import { addToWebhookDay, type WebhookDay } from '../../store/webhooks/webhook-days.ts';

/** Servers tell each other in this time what they have stored: in it they may store too much together, at most what they accept. */
const SHARED_EVERY_MS = 10_000;

interface Today {
  day: string;
  sharedAt: number;
  /** Of all servers, as it was read last. */
  known: number;
  own: WebhookDay;
  isSharedSoon: boolean;
}

/**
 * Limits what webhooks of an account take in the database in a day (UTC): they are not signed, so whoever knows the address and the
 * headers could fill the disk. What is refused is counted in the database.
 */
export class WebhookDayQuota {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #today = new Map<string, Today>();

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Whether so many bytes may be stored. `limit` null: any number. */
  async take(account: string, bytes: number, limit: number | null): Promise<boolean> {
    const today = await this.#shared(account);
    this.#shareSoon(account, today);
    const { own } = today;
    // guard: webhook-bytes-a-day
    if (limit !== null && today.known + own.bytes + bytes > limit) {
      own.refused += 1;
      own.refusedBytes += bytes;
      return false;
    }
    own.bytes += bytes;
    return true;
  }

  /** What was taken for a webhook that is stored already. */
  giveBack(account: string, bytes: number): void {
    const today = this.#today.get(account);
    if (today !== undefined) today.own.bytes -= bytes;
  }

  /** Stores what was counted since, also where no webhook comes any more. */
  #shareSoon(account: string, today: Today): void {
    if (today.isSharedSoon) return;
    today.isSharedSoon = true;
    const share = (): void => {
      today.isSharedSoon = false;
      void this.#store(account, today).catch(() => undefined);
    };
    setTimeout(share, SHARED_EVERY_MS).unref();
  }

  async #shared(account: string): Promise<Today> {
    const day = dayOf(this.#now());
    const known = this.#today.get(account);
    if (known?.day === day && this.#now() - known.sharedAt < SHARED_EVERY_MS) return known;
    if (known !== undefined && known.day !== day) await this.#store(account, known);
    const today = known?.day === day ? known : { day, sharedAt: 0, known: 0, own: nothing(), isSharedSoon: false };
    this.#today.set(account, today);
    await this.#store(account, today);
    return today;
  }

  async #store(account: string, today: Today): Promise<void> {
    const { own } = today;
    today.own = nothing();
    today.sharedAt = this.#now();
    try {
      today.known = await addToWebhookDay(this.#database, account, today.day, own);
    } catch (error) {
      for (const name of ['bytes', 'refused', 'refusedBytes'] as const) today.own[name] += own[name];
      throw error;
    }
  }
}

function nothing(): WebhookDay {
  return { bytes: 0, refused: 0, refusedBytes: 0 };
}
