import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * The certificates of a PEM file: those of authorities to trust in place of the usual ones. Throws Error whose message
 * says what to give, without the path.
 */
export function readCertificates(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error('the file it names cannot be read');
  }
  try {
    new X509Certificate(text);
  } catch {
    throw new Error('the file it names holds no certificate: give those of authorities, in PEM');
  }
  return text;
}

/** A variable that names such a file; its value is the path, and the file can be read. */
export const certificateFile = z.string().superRefine((path, context) => {
  try {
    readCertificates(path);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
});
