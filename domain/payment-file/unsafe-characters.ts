/**
 * Control characters, and those that hide or reorder the text that an approver reads: refused in every cell, and in every text
 * of an applicant. Names of beneficiaries have no further rule of payrun's own: any script and punctuation is accepted that
 * the provider's requirements for the corridor accept (check-requirements.ts).
 */
export const UNSAFE_CHARACTER = /[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Those of the unsafe characters that end a line: they have a message of their own. */
export const LINE_BREAK = /[\r\n\u2028\u2029]/;
