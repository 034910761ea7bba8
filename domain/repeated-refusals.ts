/**
 * So many in a row, refused with the same answer: the reason is the connection or the contract, not the rows of a run or the
 * applicants. What is left waits for a person.
 */
export const REPEATED_REFUSALS = 10;
