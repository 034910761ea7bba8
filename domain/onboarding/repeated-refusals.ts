/** So many sign-ups of an account in a row, refused with the same answer: the reason is not the applicants. */
export const REPEATED_REFUSALS = 10;
