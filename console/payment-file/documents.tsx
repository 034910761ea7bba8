import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DropZone } from '../elements/drop-zone.tsx';

/** The documents that rows name in `supporting_files`: more are added, and each can be removed. */
export function Documents(props: {
  documents: readonly { name: string; aside?: ReactNode }[];
  isDisabled?: boolean;
  onAdd: (files: readonly File[]) => void;
  onRemove: (name: string) => void;
}): ReactNode {
  const { documents, isDisabled = false, onAdd, onRemove } = props;
  return (
    <div className="stack">
      <DropZone
        title="Add documents"
        hint="that its rows name in supporting_files: pdf, png or jpeg, at most 10 MB each."
        accept=".pdf,.png,.jpg,.jpeg"
        isMultiple
        isSmall
        onFiles={(added) => {
          if (!isDisabled) onAdd(added);
        }}
      />
      {documents.length === 0 ? null : (
        <ul aria-label="Documents" style={{ margin: 0, paddingLeft: 18 }}>
          {documents.map(({ name, aside }) => (
            <li key={name}>
              {name} {aside === undefined ? null : <span className="muted">{aside}</span>}{' '}
              <ActionIcon
                size="sm"
                variant="subtle"
                color="red"
                aria-label={`Remove ${name}`}
                disabled={isDisabled}
                onClick={() => onRemove(name)}
              >
                <IconTrash size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
