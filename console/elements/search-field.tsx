import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

/** The text by which a page is filtered, which `/` leads to. It is applied, without spaces around it, after a rest of `restMs`. */
export function SearchField(props: {
  label: string;
  placeholder?: string;
  initial: string;
  restMs?: number;
  onSearch: (text: string) => void;
}): ReactNode {
  const { label, placeholder, initial, restMs = 250, onSearch } = props;
  const [text, setText] = useState(initial);
  const apply = useDebouncedCallback((given: string) => onSearch(given.trim()), restMs);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      data-page-search
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}
