import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Draft, DraftChangeRequest } from '../../api/payment-file/draft.ts';
import { changeDraft } from '../calls/draft-calls.ts';
import { type Action, useAction } from '../elements/use-action.tsx';
import { afterSaving, type DraftEdits, noEdits, rebased } from './draft-edits.ts';

type Change = Omit<DraftChangeRequest, 'revision'>;

export interface Correction {
  edits: DraftEdits;
  setEdits: (edits: DraftEdits) => void;
  save: Action<Change, Draft>;
}

const UNKNOWN = { revision: 0, rowCount: 0 };

/** What was typed into a draft, and its saving: both outlast whatever is shown of the draft. */
export function useCorrection(draftId: string, draft: Draft | undefined): Correction {
  const queries = useQueryClient();
  const [edits, setEdits] = useState(noEdits(draft ?? UNKNOWN));
  const save = useAction(
    async (change: Change) => {
      const saved = await changeDraft(draftId, { ...change, revision: edits.revision });
      // With what was typed while it was being saved.
      setEdits((latest) => afterSaving(latest, change, saved));
      queries.setQueryData(['draft', draftId], saved);
      return saved;
    },
    { changes: [['draft', draftId], ['drafts']] },
  );
  // While a change of ours is on its way, a newer state may be the one that it makes.
  if (draft !== undefined && draft.revision > edits.revision && !save.isRunning) {
    setEdits(edits.revision === UNKNOWN.revision ? noEdits(draft) : rebased(edits, draft));
  }
  return { edits, setEdits, save };
}
