import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';

/** Whether the server allows an action now. What it does not mention is not allowed. */
export function allows(actions: readonly AllowedAction[] | undefined, action: string): boolean {
  return actions?.find((each) => each.action === action)?.isAllowed ?? false;
}

/** Why the server would refuse it; null: it would not, or says nothing. */
export function refusalOf(actions: readonly AllowedAction[], action: string): string | null {
  return actions.find((each) => each.action === action)?.reason ?? null;
}
