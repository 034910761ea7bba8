/** Whether a person is at the page: what it asks for by itself must not keep a session from ending for idleness. */

/** Longer than the page waits between what it asks by itself, so that somebody who reads and types is not signed out. */
const LASTS_MS = 90_000;

/** What people do; pointers also move when a table shakes. */
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

export class UseOfPage {
  readonly #now: () => number;
  #usedAt: number;

  /** Whoever opens a page is at it. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#usedAt = now();
  }

  watch(page: Pick<EventTarget, 'addEventListener'>): void {
    const note = (): void => {
      this.#usedAt = this.#now();
    };
    for (const sign of SIGNS) page.addEventListener(sign, note, { capture: true, passive: true });
  }

  isUsed(): boolean {
    return this.#now() - this.#usedAt < LASTS_MS;
  }
}

export const useOfPage = new UseOfPage();
