/** The configuration cannot be used. The message has a line for everything that is wrong, and never a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
