import { readAuditPosition } from '../../store/inbox/waiting-items.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { type ActionDependencies, actionsOf, allowedActions } from '../approvals/allowed-actions.ts';
import { decisionFacts } from '../approvals/decision-facts.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { findRowByLine } from '../runs/find-row.ts';
import { findRunFor } from '../runs/run-views.ts';
import { readInbox } from './read-inbox.ts';
import { readTopic } from './read-topic.ts';
import { search } from './search.ts';

export type InboxApplication = ReturnType<typeof inboxUseCases>;

export function inboxUseCases(dependencies: ReviewingDependencies & ActionDependencies) {
  return {
    readAuditPosition: () => readAuditPosition(dependencies.database),
    ...bindUseCases(dependencies, {
      readInbox,
      search,
      allowedActions,
      actionsOf,
      findRunFor,
      findRowByLine,
      findDecisionFacts: decisionFacts,
      readTopic,
    }),
  };
}
