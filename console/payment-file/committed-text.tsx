import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** A text that counts once it is left, or Enter is pressed: not each of its letters. */
export function CommittedText(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> & { value: string; onCommit: (text: string) => void },
): ReactNode {
  const { value, onCommit, ...rest } = props;
  const [typed, setTyped] = useState<{ text: string; over: string } | null>(null);
  // What was typed over another value is old.
  const text = typed?.over === value ? typed.text : value;
  const commit = (): void => {
    setTyped(null);
    if (text !== value) onCommit(text);
  };
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={(event) => setTyped({ text: event.currentTarget.value, over: value })}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
