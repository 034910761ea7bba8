import type { ReactNode } from 'react';
import { SearchField } from '../elements/search-field.tsx';

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Only what is of one run: its id, or the address of its page, which has it. */
export function RunFilter({
  run,
  onChange,
}: {
  run: string | undefined;
  onChange: (run: string | null) => void;
}): ReactNode {
  return (
    <SearchField
      label="Run: its id or the address of its page"
      initial={run ?? ''}
      onSearch={(text) => {
        const id = ID.exec(text)?.[0] ?? null;
        // What is no id yet is not asked for.
        if (id !== null || text.trim() === '') onChange(id);
      }}
    />
  );
}
