import { ACTIONS, type ActionTarget, actionTargetOf } from '../../api/approvals/action-target.ts';
import type { ActionsAnswer, AllowedAction } from '../../api/approvals/allowed-actions.ts';
import { type ActionAnswers, askForActions } from '../../store/approvals/allowed-actions.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { applicationCodeOf } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import type { ApprovalSteps } from './approval-steps.ts';

export interface ActionDependencies extends ApplicationDependencies {
  steps: ApprovalSteps;
}

/**
 * What the user may do now, in the order of `ACTIONS`; null: there is no such thing for them. Each action is tried, so that
 * fewer of them take less time.
 */
export async function allowedActions(
  { database, steps }: ActionDependencies,
  user: SignedIn,
  target: ActionTarget,
  asked?: readonly string[],
): Promise<AllowedAction[] | null> {
  const { kind } = target;
  const actions = asked ?? ACTIONS[kind];
  const answers = await askForActions(database, user.tokenHash, {
    kind,
    id: 'id' in target ? target.id : null,
    actions,
    given: 'name' in target ? target.name : kind === 'run' ? ((await steps.of(target.id))?.steps ?? null) : null,
  });
  return answers === null ? null : actions.map((action) => actionOf(action, answers));
}

/** Of several resources, by their texts. */
export async function actionsOf(
  dependencies: ActionDependencies,
  user: SignedIn,
  texts: readonly string[],
): Promise<ActionsAnswer> {
  const actions: ActionsAnswer['actions'] = {};
  // One after another: a page of them must not take all connections.
  for (const text of texts) {
    const target = actionTargetOf(text);
    const allowed = target === null ? null : await allowedActions(dependencies, user, target);
    if (allowed !== null) actions[text] = allowed;
  }
  return { actions };
}

function actionOf(action: string, answers: ActionAnswers): AllowedAction {
  const refusal = answers[action] ?? null;
  if (refusal === null) return { action, isAllowed: true, code: null, reason: null };
  return { action, isAllowed: false, code: applicationCodeOf(refusal.refused), reason: refusal.message };
}
