/** Keeps credentials and tokens out of everything that may be shown, stored or logged. */

const REDACTED = '[redacted]';

/** Shorter secrets would blank ordinary words; the provider's are far longer. */
const LEAST_SECRET_LENGTH = 6;

/** Secrets that we never held, known by their form: JSON web tokens and what follows the name of a credential. */
const SECRET_FORMS = [
  /\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g,
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:authorization|x-api-key|api[_-]?key|access[_-]?key[_-]?id|secret[_-]?access[_-]?key|access[_-]?token|password)["']?\s*[:=]\s*["']?[^\s"',;]+/gi,
];

/**
 * The text without any of the secrets, nor their percent-encoded or base64 forms, nor anything that has the form of
 * a credential. Personal data stays: text from the provider may name a beneficiary even after this.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < LEAST_SECRET_LENGTH) continue;
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      clean = clean.split(form).join(REDACTED);
    }
  }
  for (const form of SECRET_FORMS) clean = clean.replace(form, REDACTED);
  return clean;
}
