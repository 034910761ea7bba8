/** In characters. Apart from the schemas, which the scripts of the console do not contain. */
export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 200;
