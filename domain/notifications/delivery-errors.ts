import type { Explanation } from '../explanation.ts';

/** Why an attempt to deliver a notification failed. */
export const DELIVERY_ERRORS = {
  http_status: {
    cause: 'The receiver answered with another status than 2xx.',
    fix: 'Look into the log of the receiver. With 410 (Gone) the endpoint is disabled at once.',
  },
  redirected: {
    cause: 'The receiver answered with a redirect, which is not followed.',
    fix: 'Remove the endpoint and add it with the address that the receiver redirects to.',
  },
  timeout: {
    cause: 'The receiver did not answer within 15 seconds.',
    fix: 'Have the receiver store what it gets, answer, and work on it afterwards.',
  },
  unreachable: {
    cause: 'The receiver, or the mail server, cannot be reached: its name is not known, or nothing listens there.',
    fix: 'Check the address, and that workers may reach it.',
  },
  tls_failed: {
    cause: 'The certificate of the receiver or of the mail server is not trusted, or it offers no encryption.',
    fix: 'Have it use a certificate of a known authority; for one of your own, start workers with NODE_EXTRA_CA_CERTS.',
  },
  private_address: {
    cause: 'The name of the receiver leads into a private network.',
    fix: 'If that is meant, name its host in PAYRUN_NOTIFICATION_PRIVATE_HOSTS, for workers and servers.',
  },
  http_not_allowed: {
    cause: 'The address of the receiver is not encrypted.',
    fix: 'Give an https address, or name the host in PAYRUN_NOTIFICATION_PRIVATE_HOSTS, for workers and servers.',
  },
  data_key_missing: {
    cause:
      'The secret of the endpoint cannot be read: its data key is not configured for the worker, or it was damaged.',
    fix: 'Look at `payrun keys check`; or give the endpoint a new secret with `payrun notifications endpoints rotate-secret`.',
  },
  mail_not_configured: {
    cause: 'The worker has no mail server.',
    fix: 'Set PAYRUN_SMTP_URL and PAYRUN_MAIL_FROM for workers.',
  },
  mail_refused: {
    cause: 'The mail server refused the login, the sender, every address, or the mail.',
    fix: 'Look into its log; check PAYRUN_SMTP_URL, PAYRUN_MAIL_FROM and the addresses.',
  },
  some_addresses_refused: {
    cause:
      'The mail server took the mail for some of the addresses only. It is not sent again: the others would get it twice.',
    fix: 'Remove the endpoint and add it with addresses that exist.',
  },
} as const satisfies Record<string, Explanation>;

export type DeliveryError = keyof typeof DELIVERY_ERRORS;
