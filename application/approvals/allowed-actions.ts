import {
  type ActionKind,
  ACTIONS,
  type ActionsAnswer,
  type AllowedAction,
} from '../../api/approvals/allowed-actions.ts';
import { type ActionAnswers, askForActions } from '../../store/approvals/allowed-actions.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { applicationCodeOf } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import type { ApprovalSteps } from './approval-steps.ts';

export interface ActionDependencies extends ApplicationDependencies {
  steps: ApprovalSteps;
}

export interface ActionTarget {
  kind: ActionKind;
  /** Of a row: that of its payment. */
  id: string;
}

/** What the user may do now, in the order of `ACTIONS`; null: there is no such thing for them. */
export async function allowedActions(
  { database, steps }: ActionDependencies,
  user: SignedIn,
  { kind, id }: ActionTarget,
): Promise<AllowedAction[] | null> {
  const answers = await askForActions(database, user.proof, {
    kind,
    id,
    actions: ACTIONS[kind],
    steps: kind === 'run' ? ((await steps.of(id))?.steps ?? null) : null,
  });
  return answers === null ? null : ACTIONS[kind].map((action) => actionOf(action, answers));
}

/** Of several resources, by `kind:id`. */
export async function actionsOf(
  dependencies: ActionDependencies,
  user: SignedIn,
  targets: readonly ActionTarget[],
): Promise<ActionsAnswer> {
  const actions: ActionsAnswer['actions'] = {};
  // One after another: a page of them must not take all connections.
  for (const target of targets) {
    const allowed = await allowedActions(dependencies, user, target);
    if (allowed !== null) actions[`${target.kind}:${target.id}`] = allowed;
  }
  return { actions };
}

function actionOf(action: string, answers: ActionAnswers): AllowedAction {
  const refusal = answers[action] ?? null;
  if (refusal === null) return { action, isAllowed: true, code: null, reason: null };
  return { action, isAllowed: false, code: applicationCodeOf(refusal.refused), reason: refusal.message };
}
