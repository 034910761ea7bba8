import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

/** Nobody who types on is interrupted, and nobody has to leave the field before what they typed counts. */
const REST_MS = 500;

interface Typed {
  text: string;
  /** What counts already. */
  committed: string | null;
}

/** A text that counts once it rests, is left, or Enter is pressed: not each of its letters. Emptied, it rests until it is left. */
export function CommittedText(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> & { value: string; onCommit: (text: string) => void },
): ReactNode {
  const { value, onCommit, ...rest } = props;
  const [typed, setTyped] = useState<Typed | null>(null);
  useEffect(() => {
    if (typed === null || typed.text === typed.committed || typed.text.trim() === '') return undefined;
    const timer = setTimeout(() => {
      setTyped({ text: typed.text, committed: typed.text });
      onCommit(typed.text);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [typed, onCommit]);
  const commit = (): void => {
    setTyped(null);
    if (typed !== null && typed.text !== (typed.committed ?? value)) onCommit(typed.text);
  };
  return (
    <TextInput
      {...rest}
      value={typed?.text ?? value}
      onChange={(event) => setTyped({ text: event.currentTarget.value, committed: typed?.committed ?? null })}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
