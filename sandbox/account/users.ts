import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { ResolvedOptions } from '../config/resolved-options.ts';
import { isSlow, screeningEndingOf } from '../core/magic-values.ts';
import { invalidField, notFound, Refusal } from '../core/refusal.ts';
import {
  type Company,
  type CompanyDetails,
  detailFields,
  missingDetails,
  type User,
  type UserDetails,
  type UserStatus,
} from './user.ts';
import { type UserView, UserViews } from './user-views.ts';

/** The fields of a sign-up that are stored. */
export interface SignUp {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly accountType: 'company' | 'individual';
  readonly companyName: string | null;
}

interface UserDependencies {
  readonly options: Pick<
    ResolvedOptions,
    | 'secondSignUp'
    | 'initialUserStatus'
    | 'screeningIncomplete'
    | 'screeningAnswer'
    | 'screeningSteps'
    | 'screeningOutcome'
    | 'completionMinMs'
    | 'completionMaxMs'
    | 'slowCompletionMs'
    | 'userEvents'
    | 'userLagMs'
  >;
  readonly clock: Clock;
  readonly random: SeededRandom;
  /** Called for every status that is notified. */
  readonly notify: (user: User) => void;
}

/** The statuses that end once the phone is known. */
const BEFORE_PHONE: ReadonlySet<UserStatus> = new Set(['pending_phone', 'pending']);
/** The statuses in which a screening can be requested. */
const SCREENABLE: ReadonlySet<UserStatus> = new Set(['pending_docs', 'documents_need_resubmission']);
const DECISIONS: ReadonlySet<UserStatus> = new Set(['approved', 'rejected', 'documents_need_resubmission']);

/**
 * The users that were signed up under one API key: pending_phone → pending_docs (once the phone is known) →
 * pending_approval (screened) → the operator's decision. Contract: account 2.3 and 4.2.
 */
export class Users {
  readonly #deps: UserDependencies;
  readonly #views: UserViews;
  readonly #byId = new Map<string, User>();
  readonly #byAccountId = new Map<string, User>();
  /** By e-mail in lower case, oldest first. */
  readonly #byEmail = new Map<string, User[]>();
  #closed = false;

  constructor(deps: UserDependencies) {
    this.#deps = deps;
    this.#views = new UserViews(deps.options.userLagMs);
  }

  /** @throws Refusal 409 `email_taken` unless a second sign-up is accepted */
  signUp(order: SignUp): User {
    const { options, clock, random, notify } = this.#deps;
    const email = order.email.toLowerCase();
    const others = this.#byEmail.get(email) ?? [];
    if (others.length > 0 && options.secondSignUp === 'refuse') {
      throw new Refusal(409, 'email_taken', 'email: a user with this e-mail has signed up already');
    }
    const user: User = {
      id: random.uuid(),
      accountId: random.uuid(),
      email: order.email,
      details: { firstName: order.firstName, lastName: order.lastName },
      company: order.accountType === 'company' ? { name: order.companyName, details: null } : null,
      status: options.initialUserStatus,
      remarks: null,
      decisionNumber: 0,
      wasAskedToResubmit: false,
    };
    this.#byId.set(user.id, user);
    this.#byAccountId.set(user.accountId, user);
    this.#byEmail.set(email, [...others, user]);
    this.#views.record(user, clock.now());
    if (options.userEvents === 'every') notify(user);
    return user;
  }

  /** @throws Refusal 404 `not_found` */
  get(userId: string): User {
    const user = this.#byId.get(userId);
    if (!user) throw notFound('user');
    return user;
  }

  /** Oldest first. */
  all(): User[] {
    return [...this.#byId.values()];
  }

  /** What reading the user or its company shows, which may be late. */
  viewOf(user: User): UserView {
    return this.#views.of(user, this.#deps.clock.now());
  }

  /** The number of users in each status. */
  counts(): Partial<Record<UserStatus, number>> {
    const counts: Partial<Record<UserStatus, number>> = {};
    for (const { status } of this.#byId.values()) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** The ids of users who share an e-mail, one list for each e-mail. */
  signedUpMoreThanOnce(): string[][] {
    const groups = [...this.#byEmail.values()].filter((users) => users.length > 1);
    return groups.map((users) => users.map(({ id }) => id));
  }

  /** Sets the given details, removes those that are null, and keeps the others. */
  update(user: User, changes: UserDetails): void {
    for (const field of detailFields) {
      const value = changes[field];
      if (value !== undefined) user.details[field] = value;
    }
    const { mobileCountryCode, mobileNumber } = user.details;
    if (BEFORE_PHONE.has(user.status) && mobileCountryCode && mobileNumber)
      this.#transition(user, 'pending_docs', null);
    else this.#views.record(user, this.#deps.clock.now());
  }

  /**
   * Requests a screening; has no effect in a status that allows none. Returns the status for the answer, which may be
   * the one before.
   * @throws Refusal 400 `details_incomplete` that names the missing details
   */
  screen(user: User): UserStatus {
    const { options } = this.#deps;
    const { details, company } = missingDetails(user.details, user.company);
    if (details.length + company.length > 0) {
      if (options.screeningIncomplete === 'unchanged') return user.status;
      const missing = [...details, ...company.map((field) => `${field} of the company`)];
      throw new Refusal(400, 'details_incomplete', `these details are needed first: ${missing.join(', ')}`);
    }
    const before = user.status;
    if (!SCREENABLE.has(before)) return before;
    this.#transition(user, 'pending_approval', null);
    this.#scheduleDecision(user);
    return options.screeningAnswer === 'new' ? user.status : before;
  }

  /** The company of an account. @throws Refusal 404 `not_found`, also for an individual's account */
  companyOf(accountId: string): { readonly user: User; readonly company: Company } {
    const user = this.#byAccountId.get(accountId);
    if (!user?.company) throw notFound('company');
    return { user, company: user.company };
  }

  /** @throws Refusal 404 `not_found`, 409 `account_status_not_allowed` after the screening was requested */
  updateCompany(accountId: string, details: CompanyDetails): Company {
    const { user, company } = this.companyOf(accountId);
    if (user.status !== 'pending_phone' && user.status !== 'pending_docs') {
      const fix = 'the company can be updated in pending_phone and pending_docs only';
      throw new Refusal(409, 'account_status_not_allowed', `the account is ${user.status}: ${fix}`);
    }
    company.details = details;
    this.#views.record(user, this.#deps.clock.now());
    return company;
  }

  /** Sets any status, as an operator would, with remarks where the status has them. */
  force(user: User, status: UserStatus, remarks: string | null): void {
    if (user.status === status) throw invalidField('status', `the user is ${status} already`);
    user.decisionNumber += 1;
    this.#transition(user, status, remarks);
  }

  close(): void {
    this.#closed = true;
  }

  #scheduleDecision(user: User): void {
    const { options, clock, random } = this.#deps;
    const firstName = user.details.firstName ?? '';
    const ending = screeningEndingOf(firstName, user.wasAskedToResubmit, options.screeningOutcome);
    user.decisionNumber += 1;
    if (ending === null) return;
    const usualMs = random.between(options.completionMinMs, options.completionMaxMs);
    const withinMs = isSlow([firstName]) ? options.slowCompletionMs : usualMs;
    const { decisionNumber } = user;
    const schedule = (delayMs: number, status: UserStatus, remarks: string | null): void => {
      clock.after(delayMs, () => {
        if (!this.#closed && user.decisionNumber === decisionNumber) this.#transition(user, status, remarks);
      });
    };
    if (options.screeningSteps === 'verification') schedule(Math.round(withinMs / 2), 'pending_verification', null);
    schedule(withinMs, ending.status, ending.remarks);
  }

  #transition(user: User, status: UserStatus, remarks: string | null): void {
    const { options, clock, notify } = this.#deps;
    user.status = status;
    user.remarks = remarks;
    user.wasAskedToResubmit ||= status === 'documents_need_resubmission';
    this.#views.record(user, clock.now());
    if (options.userEvents !== 'decisions' || DECISIONS.has(status)) notify(user);
  }
}
