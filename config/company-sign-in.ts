import type { Environment } from './environment.ts';

/** The sign-in of the company (OpenID Connect), as the environment names it. */

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
