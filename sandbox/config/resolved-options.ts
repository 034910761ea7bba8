import { hash32 } from '../core/seeded-random.ts';
import type { SandboxOptions } from './options.ts';
import {
  type SeededVariant,
  type SeededVariantOptions,
  plainUserVariants,
  type UserVariants,
} from './user-variants.ts';

/** The options of a running sandbox, in which no variant is `seeded`. */
export type ResolvedOptions = Omit<SandboxOptions, keyof UserVariants> & UserVariants;

/** What the seed chooses from, each entry equally likely. The contract is silent about every one of them. */
export const seededVariants: { readonly [Variant in SeededVariant]: readonly UserVariants[Variant][] } = {
  // A sample shows `pending`, the list of statuses does not.
  initialUserStatus: ['pending_phone', 'pending_docs', 'pending'],
  screeningIncomplete: ['refuse', 'unchanged'],
  screeningAnswer: ['new', 'old'],
  screeningSteps: ['direct', 'verification'],
  rejectionRemarks: ['present', 'absent'],
  userEvents: ['every', 'changes', 'decisions'],
  userDetailStatus: ['object', 'string'],
  // The field list has it and a sample lacks it: rarer than the others.
  signupUserId: ['returned', 'returned', 'returned', 'omitted'],
  companyPostalCode: ['string', 'number'],
  documentUrlSpelling: ['Url', 'URL'],
};

/**
 * Replaces `seeded` by a value: the one that a state file recorded, else with plain answers that of `plainUserVariants`,
 * else one chosen by the seed. A file of a version that did not vary it yet has the plain value.
 */
export function resolvedOptions(
  options: SandboxOptions,
  recorded: Readonly<Record<string, unknown>> | null = null,
): ResolvedOptions {
  const given: SeededVariantOptions = options;
  const resolve = <Variant extends SeededVariant>(
    variant: Variant,
    values: readonly UserVariants[Variant][] = seededVariants[variant],
  ): UserVariants[Variant] => {
    const value = given[variant];
    if (value !== 'seeded') return value as UserVariants[Variant];
    const plain = plainUserVariants[variant];
    // The file was written by a sandbox, with one of the values of the variant.
    if (recorded !== null) return (recorded[variant] as UserVariants[Variant] | undefined) ?? plain;
    if (options.answers === 'plain') return plain;
    return values[hash32(`${options.seed}/form/${variant}`) % values.length] ?? plain;
  };
  const signupUserId = resolve('signupUserId');
  return {
    ...options,
    initialUserStatus: resolve('initialUserStatus'),
    screeningIncomplete: resolve('screeningIncomplete'),
    screeningAnswer: resolve('screeningAnswer'),
    screeningSteps: resolve('screeningSteps'),
    rejectionRemarks: resolve('rejectionRemarks'),
    // Otherwise neither the answer nor a notification would tell the id of a new user.
    userEvents: signupUserId === 'omitted' ? resolve('userEvents', ['every']) : resolve('userEvents'),
    userDetailStatus: resolve('userDetailStatus'),
    signupUserId,
    companyPostalCode: resolve('companyPostalCode'),
    documentUrlSpelling: resolve('documentUrlSpelling'),
  };
}
