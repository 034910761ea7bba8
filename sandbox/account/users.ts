import type { Chance } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { SandboxOptions } from '../config/defaults.ts';
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

/** What a sign-up says that is kept. */
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
  readonly chance: Chance;
  /** Told of every status that a user takes, the first included. */
  readonly announce: (user: User) => void;
}

/**
 * The users that were signed up under one API key: pending_phone → pending_docs (once the phone is known) →
 * pending_approval (screened) → what the operator decides. Contract: account 2.3 and 4.2.
 */
export class Users {
  readonly #given: UserDependencies;
  readonly #byId = new Map<string, User>();
  #closed = false;

  constructor(given: UserDependencies) {
    this.#given = given;
  }

  /** @throws Refusal 409 `email_taken` */
  signUp(order: SignUp): User {
    const { options, chance, announce } = this.#given;
    const email = order.email.toLowerCase();
    if (this.all().some((user) => user.email.toLowerCase() === email)) {
      throw new Refusal(409, 'email_taken', 'email: a user with this e-mail has signed up already');
    }
    const user: User = {
      id: chance.uuid(),
      accountId: chance.uuid(),
      email: order.email,
      details: { firstName: order.firstName, lastName: order.lastName },
      company: order.accountType === 'company' ? { name: order.companyName, details: null } : null,
      status: options.initialUserStatus,
      remarks: null,
    };
    this.#byId.set(user.id, user);
    announce(user);
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

  /** Sets the details that are given, removes those that are null, and leaves the others. */
  update(user: User, changes: UserDetails): void {
    for (const field of detailFields) {
      const value = changes[field];
      if (value !== undefined) user.details[field] = value;
    }
    const { mobileCountryCode, mobileNumber } = user.details;
    if (user.status === 'pending_phone' && mobileCountryCode && mobileNumber) this.#move(user, 'pending_docs', null);
  }

  /**
   * Asks for a screening; in a status from which there is none the user stays as it is.
   * @throws Refusal 400 `details_incomplete`, naming the details that are missing
   */
  screen(user: User): void {
    const { options, clock, chance } = this.#given;
    const missing = missingDetails(user);
    if (missing.length > 0) {
      if (options.screeningIncomplete === 'unchanged') return;
      throw new Refusal(400, 'details_incomplete', `these details are needed first: ${missing.join(', ')}`);
    }
    if (user.status !== 'pending_docs' && user.status !== 'documents_need_resubmission') return;
    this.#move(user, 'pending_approval', null);
    const outcome = options.screeningOutcome;
    if (outcome === 'operator') return;
    clock.after(chance.between(options.completionMinMs, options.completionMaxMs), () => {
      if (!this.#closed && user.status === 'pending_approval') this.#move(user, outcome, null);
    });
  }

  /** The company of an account. @throws Refusal 404 `not_found`, for an individual's account too */
  companyOf(accountId: string): { readonly user: User; readonly company: Company } {
    const user = this.all().find((candidate) => candidate.accountId === accountId);
    if (!user?.company) throw notFound('company');
    return { user, company: user.company };
  }

  /** @throws Refusal 404 `not_found`, 409 `account_status_not_allowed` once the screening has begun */
  updateCompany(accountId: string, details: CompanyDetails): Company {
    const { user, company } = this.companyOf(accountId);
    if (user.status !== 'pending_phone' && user.status !== 'pending_docs') {
      const fix = 'the company can be updated in pending_phone and pending_docs only';
      throw new Refusal(409, 'account_status_not_allowed', `the account is ${user.status}: ${fix}`);
    }
    company.details = details;
    return company;
  }

  /** Puts a user into any status, as an operator would, with remarks where the status takes them. */
  force(user: User, status: UserStatus, remarks: string | null): void {
    if (user.status === status) throw invalidField('status', `the user is ${status} already`);
    this.#move(user, status, remarks);
  }

  close(): void {
    this.#closed = true;
  }

  #move(user: User, status: UserStatus, remarks: string | null): void {
    user.status = status;
    user.remarks = remarks;
    this.#given.announce(user);
  }
}
