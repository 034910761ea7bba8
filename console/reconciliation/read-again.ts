/** How often books and differences are read again: no event tells of what colleagues do with them. */
export const READ_EVERY_MS = 10_000;
