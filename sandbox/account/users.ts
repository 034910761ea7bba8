import type { SeededRandom } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { SandboxOptions } from '../config/options.ts';
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
    SandboxOptions,
    'initialUserStatus' | 'screeningIncomplete' | 'screeningOutcome' | 'completionMinMs' | 'completionMaxMs'
  >;
  readonly clock: Clock;
  readonly random: SeededRandom;
  /** Called for every new status, including the first. */
  readonly notify: (user: User) => void;
}

/**
 * The users that were signed up under one API key: pending_phone → pending_docs (once the phone is known) →
 * pending_approval (screened) → the operator's decision. Contract: account 2.3 and 4.2.
 */
export class Users {
  readonly #deps: UserDependencies;
  readonly #byId = new Map<string, User>();
  #closed = false;

  constructor(deps: UserDependencies) {
    this.#deps = deps;
  }

  /** @throws Refusal 409 `email_taken` */
  signUp(order: SignUp): User {
    const { options, random, notify } = this.#deps;
    const email = order.email.toLowerCase();
    if (this.all().some((user) => user.email.toLowerCase() === email)) {
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
    };
    this.#byId.set(user.id, user);
    notify(user);
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

  /** Sets the given details, removes those that are null, and keeps the others. */
  update(user: User, changes: UserDetails): void {
    for (const field of detailFields) {
      const value = changes[field];
      if (value !== undefined) user.details[field] = value;
    }
    const { mobileCountryCode, mobileNumber } = user.details;
    if (user.status === 'pending_phone' && mobileCountryCode && mobileNumber)
      this.#transition(user, 'pending_docs', null);
  }

  /**
   * Requests a screening; has no effect in a status that allows none.
   * @throws Refusal 400 `details_incomplete` that names the missing details
   */
  screen(user: User): void {
    const { options, clock, random } = this.#deps;
    const missing = missingDetails(user);
    if (missing.length > 0) {
      if (options.screeningIncomplete === 'unchanged') return;
      throw new Refusal(400, 'details_incomplete', `these details are needed first: ${missing.join(', ')}`);
    }
    if (user.status !== 'pending_docs' && user.status !== 'documents_need_resubmission') return;
    this.#transition(user, 'pending_approval', null);
    const outcome = options.screeningOutcome;
    if (outcome === 'operator') return;
    clock.after(random.between(options.completionMinMs, options.completionMaxMs), () => {
      if (!this.#closed && user.status === 'pending_approval') this.#transition(user, outcome, null);
    });
  }

  /** The company of an account. @throws Refusal 404 `not_found`, also for an individual's account */
  companyOf(accountId: string): { readonly user: User; readonly company: Company } {
    const user = this.all().find((candidate) => candidate.accountId === accountId);
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
    return company;
  }

  /** Sets any status, as an operator would, with remarks where the status has them. */
  force(user: User, status: UserStatus, remarks: string | null): void {
    if (user.status === status) throw invalidField('status', `the user is ${status} already`);
    this.#transition(user, status, remarks);
  }

  close(): void {
    this.#closed = true;
  }

  #transition(user: User, status: UserStatus, remarks: string | null): void {
    user.status = status;
    user.remarks = remarks;
    this.#deps.notify(user);
  }
}
