import type { CompanyDetails, User, UserDetails, UserStatus } from './user.ts';

/** What reading a user and its company shows. */
export interface UserView {
  readonly status: UserStatus;
  readonly remarks: string | null;
  readonly details: Readonly<UserDetails>;
  readonly companyDetails: CompanyDetails | null;
}

/** What is true now, whatever reading shows. */
export const currentViewOf = ({ status, remarks, details, company }: User): UserView => ({
  status,
  remarks,
  details: { ...details },
  companyDetails: company?.details ?? null,
});

interface DatedView {
  readonly sinceMs: number;
  readonly view: UserView;
}

/** The earlier states of users, where a change shows only after a time. A new user shows at once. */
export class UserViews {
  readonly #lagMs: number;
  /** Oldest first, one at least: the first is what reading shows, the others show later. */
  readonly #byUser = new Map<User, DatedView[]>();

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** Call it after every change, and for a new user. */
  record(user: User, nowMs: number): void {
    if (this.#lagMs === 0) return;
    const views = this.#byUser.get(user) ?? [];
    views.push({ sinceMs: nowMs, view: currentViewOf(user) });
    this.#byUser.set(user, views.slice(this.#shownPlace(views, nowMs)));
  }

  /** What reading the user shows now. */
  of(user: User, nowMs: number): UserView {
    const views = this.#byUser.get(user) ?? [];
    return views[this.#shownPlace(views, nowMs)]?.view ?? currentViewOf(user);
  }

  #shownPlace(views: readonly DatedView[], nowMs: number): number {
    return Math.max(
      0,
      views.findLastIndex(({ sinceMs }) => sinceMs + this.#lagMs <= nowMs),
    );
  }
}
