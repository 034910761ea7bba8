import { statesWhere } from '../state-table.ts';

/** The states of a delivery (a notification on its way to one endpoint), and all that is asked of each. */

export const DELIVERY_STATES = ['queued', 'delivering', 'delivered', 'failing', 'failed', 'disabled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

interface DeliveryStateRow {
  /** It is to be sent, or sent again. */
  isOpen: boolean;
  /** It is sent when it is due: no attempt is under way. */
  isScheduled: boolean;
  /** It is sent again when its endpoint is enabled. */
  waitsForEndpoint: boolean;
  /** An attempt may be under way whose result is not recorded. */
  mayBeUnderWay: boolean;
}

export const DELIVERY_STATE_TABLE: Readonly<Record<DeliveryState, DeliveryStateRow>> = {
  queued: { isOpen: true, isScheduled: true, waitsForEndpoint: false, mayBeUnderWay: false },
  delivering: { isOpen: true, isScheduled: false, waitsForEndpoint: false, mayBeUnderWay: true },
  delivered: { isOpen: false, isScheduled: false, waitsForEndpoint: false, mayBeUnderWay: false },
  failing: { isOpen: true, isScheduled: true, waitsForEndpoint: false, mayBeUnderWay: false },
  failed: { isOpen: false, isScheduled: false, waitsForEndpoint: false, mayBeUnderWay: false },
  disabled: { isOpen: false, isScheduled: false, waitsForEndpoint: true, mayBeUnderWay: true },
};

export const OPEN_DELIVERY_STATES = statesWhere(DELIVERY_STATE_TABLE, ({ isOpen }) => isOpen);

/** An attempt may be under way whose result is not recorded. */
export const ATTEMPTED_DELIVERY_STATES = statesWhere(DELIVERY_STATE_TABLE, ({ mayBeUnderWay }) => mayBeUnderWay);

/** Not delivered, and not given up. */
export const UNDELIVERED_STATES = statesWhere(
  DELIVERY_STATE_TABLE,
  ({ isOpen, waitsForEndpoint }) => isOpen || waitsForEndpoint,
);
