import { useQueryClient } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useState } from 'react';
import type { Draft } from '../../api/payment-file/draft.ts';
import { api } from '../calls/api.ts';
import { type Action, useAction } from '../elements/use-action.tsx';
import { afterSaving, changeOf, type DraftEdits, noEdits, partsOf, type Pending, rebased } from './draft-edits.ts';

export interface Correction {
  edits: DraftEdits;
  setEdits: Dispatch<SetStateAction<DraftEdits>>;
  save: Action<Pending, void>;
}

const UNKNOWN = { revision: 0 };

/** What was changed in a draft, and its saving: both outlast whatever is shown of the draft. */
export function useCorrection(draftId: string, draft: Draft | undefined): Correction {
  const queries = useQueryClient();
  const [edits, setEdits] = useState(noEdits(draft ?? UNKNOWN));
  const save = useAction(
    async (pending: Pending) => {
      let { revision } = edits;
      for (const part of partsOf(pending)) {
        const saved = await api.changeDraft({ draftId, ...changeOf(part), revision });
        revision = saved.revision;
        // With what was typed while it was being saved.
        setEdits((latest) => afterSaving(latest, part, saved));
        queries.setQueryData(['draft', draftId], saved);
      }
    },
    { changes: [['draft', draftId], ['drafts']] },
  );
  // While a change of ours is on its way, a newer state may be the one that it makes.
  if (draft !== undefined && draft.revision > edits.revision && !save.isRunning) {
    setEdits(edits.revision === UNKNOWN.revision ? noEdits(draft) : rebased(edits, draft));
  }
  return { edits, setEdits, save };
}
