import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** By these Temporal's own UI finds runs and payments; the names are declared to the server at its start. */
export const RUN_ID = defineSearchAttributeKey('PayrunRunId', SearchAttributeType.KEYWORD);
export const ACCOUNT = defineSearchAttributeKey('PayrunAccount', SearchAttributeType.KEYWORD);
export const STATE = defineSearchAttributeKey('PayrunState', SearchAttributeType.KEYWORD);
export const ROW = defineSearchAttributeKey('PayrunRow', SearchAttributeType.INT);
export const CURRENCY = defineSearchAttributeKey('PayrunCurrency', SearchAttributeType.KEYWORD);
