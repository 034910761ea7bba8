/** The states of a delivery: a notification on its way to one endpoint. */
export const DELIVERY_STATES = ['queued', 'delivering', 'delivered', 'failing', 'failed', 'disabled'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** It is to be sent, or sent again. */
export const OPEN_DELIVERY_STATES: readonly DeliveryState[] = ['queued', 'delivering', 'failing'];
