import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FileColumn } from '../../api/payment-file/column.ts';
import { CommittedText } from './committed-text.tsx';
import type { ColumnSource } from './reading-profile.ts';
import { PARTS, stepsInWords } from './reading-words.ts';

interface Steps {
  column: FileColumn;
  source: ColumnSource;
  onChange: (change: Partial<ColumnSource>) => void;
}

/** What is done with the cells of a column, and how that is changed. */
export function ReadingSteps({ column, source, onChange }: Steps): ReactNode {
  const { name, steps } = column;
  const said = stepsInWords(source).join(', ');
  const isJoined = steps.joins && source.from.length > 1;
  if (!isJoined && steps.parts.length === 0 && !steps.prefixes && !steps.translates) {
    return <span className="muted small">{said}</span>;
  }
  return (
    <details>
      <summary className="small">{said === '' ? 'Read as it is written' : said}</summary>
      <div className="stack" style={{ gap: 6, marginTop: 6 }}>
        {isJoined ? (
          <CommittedText
            size="xs"
            label="Between the cells"
            description="A blank, unless something else is typed"
            aria-label={`Text between the cells of ${name}`}
            maxLength={10}
            value={source.between === ' ' ? '' : source.between}
            onCommit={(text) => onChange({ between: text === '' ? ' ' : text })}
          />
        ) : null}
        {steps.parts.length === 0 ? null : (
          <Select
            size="xs"
            label="Taken from the cell"
            aria-label={`What ${name} takes from the cell`}
            clearable
            placeholder="all of it"
            data={steps.parts.map((part) => ({ value: part, label: PARTS[part] }))}
            value={source.part}
            onChange={(part) => onChange({ part })}
          />
        )}
        {steps.prefixes ? (
          <CommittedText
            size="xs"
            label="Text before it"
            aria-label={`Text before ${name}`}
            maxLength={30}
            value={source.prefix}
            onCommit={(prefix) => onChange({ prefix })}
          />
        ) : null}
        {steps.translates ? <Translations {...{ column, source, onChange }} /> : null}
      </div>
    </details>
  );
}

/** What the sheet says, and what it means. */
function Translations({ column: { name, example }, source: { translate }, onChange }: Steps): ReactNode {
  const [said, setSaid] = useState('');
  const [meant, setMeant] = useState('');
  const add = (): void => {
    onChange({ translate: { ...translate, [said.trim()]: meant.trim() } });
    setSaid('');
    setMeant('');
  };
  const without = (text: string) => Object.fromEntries(Object.entries(translate).filter(([each]) => each !== text));
  const isReady = said.trim() !== '' && meant.trim() !== '';
  return (
    <fieldset className="reading-form stack" style={{ gap: 6 }} aria-label={`What cells of ${name} mean`}>
      {Object.entries(translate).map(([text, meaning]) => (
        <div key={text} className="row">
          <span className="small">“{text}” means</span>
          <CommittedText
            size="xs"
            aria-label={`What “${text}” means as ${name}`}
            value={meaning}
            onCommit={(other) =>
              onChange({ translate: other.trim() === '' ? without(text) : { ...translate, [text]: other.trim() } })
            }
          />
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Remove “${text}” from ${name}`}
            onClick={() => onChange({ translate: without(text) })}
          >
            Remove
          </Button>
        </div>
      ))}
      <div className="row">
        <TextInput
          size="xs"
          aria-label={`Text of the sheet for ${name}`}
          placeholder="what the sheet says"
          value={said}
          onChange={(event) => setSaid(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          aria-label={`What that text means as ${name}`}
          placeholder={`what it means, such as ${example}`}
          value={meant}
          onChange={(event) => setMeant(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isReady) add();
          }}
        />
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Add a translation of ${name}`}
          disabled={!isReady}
          onClick={add}
        >
          Add
        </Button>
      </div>
    </fieldset>
  );
}
