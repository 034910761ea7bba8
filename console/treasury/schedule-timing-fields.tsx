import { Button, Input, Select, SegmentedControl } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { DraftField, type FieldsProps, problemAt } from './schedule-field.tsx';
import { CONVENTIONS } from './schedule-words.ts';
import { capitalized } from '../../domain/capitalized.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const CONVENTION_OPTIONS = Object.entries(CONVENTIONS).map(([value, label]) => ({ value, label }));

/** When it is due. */
export function TimingFields(props: FieldsProps): ReactNode {
  const { draft, problems, onChange } = props;
  const zonesId = useId();
  return (
    <fieldset className="fields">
      <legend>When</legend>
      <Input.Wrapper label="On" labelElement="div" error={problemAt(problems, 'on')}>
        <div className="stack" style={{ gap: 8 }}>
          <SegmentedControl
            aria-label="On which days"
            data={[
              { value: 'every', label: 'every day' },
              { value: 'weekdays', label: 'weekdays' },
              { value: 'days_of_month', label: 'monthly' },
            ]}
            value={draft.rule}
            onChange={(rule) => onChange({ rule })}
          />
          <Days {...props} />
        </div>
      </Input.Wrapper>
      <div className="row fields-row">
        <DraftField
          {...props}
          name="times"
          field="times"
          label="Local times"
          hint="With commas: 09:30, 14:00"
          isNeeded
        />
        <DraftField
          {...props}
          name="timeZone"
          field="time_zone"
          label="Time zone"
          hint="Times and dates are of this zone."
          isNeeded
          list={zonesId}
        />
      </div>
      <datalist id={zonesId}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Select
        label="On a day on which banks are closed"
        description="For one of its currencies."
        allowDeselect={false}
        data={CONVENTION_OPTIONS}
        error={problemAt(problems, 'convention')}
        value={draft.convention}
        onChange={(convention) => onChange({ convention: convention ?? draft.convention })}
      />
      <div className="row fields-row">
        <DraftField {...props} name="from" field="from" label="First date" type="date" isNeeded />
        <DraftField {...props} name="until" field="until" label="Last date" type="date" />
      </div>
    </fieldset>
  );
}

function Days(props: FieldsProps): ReactNode {
  const { draft, onChange } = props;
  if (draft.rule === 'every') return null;
  if (draft.rule === 'days_of_month') {
    return (
      <DraftField
        {...props}
        name="daysOfMonth"
        field="on.days_of_month"
        label="Days"
        hint="1 to 28, or last: 1, 15, last"
      />
    );
  }
  return (
    <div className="row" role="group" aria-label="Weekdays">
      {WEEKDAYS.map((day) => {
        const isOn = draft.weekdays.includes(day);
        // In the order of the week, however they are chosen.
        const next = WEEKDAYS.filter((each) => (each === day ? !isOn : draft.weekdays.includes(each)));
        return (
          <Button
            key={day}
            size="compact-sm"
            variant={isOn ? 'filled' : 'default'}
            aria-pressed={isOn}
            onClick={() => onChange({ weekdays: next })}
          >
            {capitalized(day)}
          </Button>
        );
      })}
    </div>
  );
}
