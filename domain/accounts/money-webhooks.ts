/** Kinds of webhooks that say that a balance may have changed. Contract: account 6, payments 6. */
export const MONEY_WEBHOOK_KINDS = ['funding', 'deposit', 'conversion', 'refund'] as const;

export type MoneyWebhookKind = (typeof MONEY_WEBHOOK_KINDS)[number];
