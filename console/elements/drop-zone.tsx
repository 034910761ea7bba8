import { Button } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';

/** A place to drop files on, which is also a button: whoever cannot drag chooses. */
export function DropZone(props: {
  title: string;
  hint: ReactNode;
  accept: string;
  isMultiple?: boolean;
  /** One line of the page: something was chosen already. */
  isSmall?: boolean;
  onFiles: (files: File[]) => void;
}): ReactNode {
  const { title, hint, accept, isMultiple = false, isSmall = false, onFiles } = props;
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const take = (files: FileList | null): void => {
    const list = [...(files ?? [])];
    if (list.length > 0) onFiles(isMultiple ? list : list.slice(0, 1));
  };
  const onDrag = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  return (
    <div
      className="drop"
      data-over={isOver}
      data-small={isSmall}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={(event) => {
        onDrag(event);
        take(event.dataTransfer.files);
      }}
    >
      {isSmall ? null : <IconFileUpload size={28} aria-hidden="true" />}
      <Button variant="default" aria-describedby={hintId} onClick={() => input.current?.click()}>
        {title}
      </Button>
      <span className="muted small" id={hintId}>
        {hint}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        aria-label={title}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
