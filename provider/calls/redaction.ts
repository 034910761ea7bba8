/** Removes credentials and tokens from texts that may be shown, stored or logged. */

const REDACTED = '[redacted]';

/** Shorter secrets would redact ordinary words; the provider's are far longer. */
const MIN_SECRET_LENGTH = 6;

/** Secrets of others, recognized by their form: JSON web tokens, and what follows the name of a credential. */
const SECRET_PATTERNS = [
  /\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g,
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:authorization|x-api-key|api[_-]?key|access[_-]?key[_-]?id|secret[_-]?access[_-]?key|access[_-]?token|password)["']?\s*[:=]\s*["']?[^\s"',;]+/gi,
];

/**
 * The text without the secrets (plain, percent-encoded or base64) and without anything that looks like a credential.
 * Personal data remains: a text from the provider may still name a beneficiary.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      clean = clean.split(form).join(REDACTED);
    }
  }
  for (const form of SECRET_PATTERNS) clean = clean.replace(form, REDACTED);
  return clean;
}
