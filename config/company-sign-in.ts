import { z } from 'zod';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { Environment } from './environment.ts';

/** The sign-in of the company (OpenID Connect), as the environment names it. */

/** As the issuer writes it: compared letter by letter. */
export const oidcIssuer = z
  .url({ protocol: /^https?$/, error: 'give the address of the issuer, as "https://login.example.com"' })
  .refine((url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname), 'give an https address');

/** Null: none is configured. */
export function identityIssuerIn(environment: Environment): { issuer: string; audience: string } | null {
  const { PAYRUN_OIDC_ISSUER: issuer, PAYRUN_OIDC_CLIENT_ID: audience } = environment;
  return issuer === undefined || audience === undefined ? null : { issuer, audience };
}

/** What a server needs beside; null: none is configured. */
export function companySignInIn(
  environment: Environment,
): { issuer: string; clientId: string; clientSecret: string; name: string } | null {
  const issuer = identityIssuerIn(environment);
  const { PAYRUN_OIDC_CLIENT_SECRET: clientSecret, PAYRUN_OIDC_NAME: name } = environment;
  if (issuer === null || clientSecret === undefined) return null;
  return { issuer: issuer.issuer, clientId: issuer.audience, clientSecret, name };
}
