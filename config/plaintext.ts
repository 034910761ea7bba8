import { z } from 'zod';
import { isLoopbackHost } from '../domain/loopback.ts';

/** What may be reached without encryption beyond this machine, where PAYRUN_ALLOW_PLAINTEXT names it. */
export const PLAINTEXT_SERVICES = ['provider', 'server', 'postgres', 'temporal', 'uploads', 'mail', 'traces'] as const;

export type PlaintextService = (typeof PLAINTEXT_SERVICES)[number];

const service = z.enum(PLAINTEXT_SERVICES, `give a comma list of ${PLAINTEXT_SERVICES.join(', ')}`);

/** PAYRUN_ALLOW_PLAINTEXT, a comma list, as read. */
export const allowPlaintext = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(service));

/**
 * What is wrong with a service that is reached without encryption, as a line that names the variable and the fix; null
 * when its host is this machine or it may be so.
 */
export function plaintextProblem(
  reached: { variable: string; service: PlaintextService; host: string; fix: string },
  allowed: readonly PlaintextService[],
): string | null {
  const { variable, service, host, fix } = reached;
  if (isLoopbackHost(host) || allowed.includes(service)) return null;
  return `${variable}: ${host} would be reached without encryption: ${fix}, or allow it by PAYRUN_ALLOW_PLAINTEXT=${service}`;
}
