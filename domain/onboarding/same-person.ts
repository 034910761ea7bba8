/** Whether a user of the provider is the applicant: the same names, without regard to case, accents' encoding and spaces. */
export function haveSameNames(
  applicant: { firstName: string; lastName: string },
  user: { firstName: string | null; lastName: string | null },
): boolean {
  return (
    comparable(`${applicant.firstName} ${applicant.lastName}`) ===
    comparable(`${user.firstName ?? ''} ${user.lastName ?? ''}`)
  );
}

function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** What the provider's user differs in from an applicant; `user`: it shows none. */
export type PersonDifference = 'user' | 'mail_address' | 'names';
