import { Group, Select, type SelectProps, SimpleGrid, Text, TextInput } from '@mantine/core';
import slugify from '@sindresorhus/slugify';
import { type ReactNode, useState } from 'react';
import type { MoneyInputValue } from './input-values.ts';
import { BROWSER_TIME_ZONE } from './wall-clock.ts';

interface MoneyFieldsProps {
  label: string;
  description?: string;
  value: MoneyInputValue;
  error?: ReactNode;
  onChange: (value: MoneyInputValue) => void;
  /** Finds the input for the focus. */
  'data-path'?: string;
}

export const MoneyFields = ({ value, onChange, ...field }: MoneyFieldsProps) => (
  <Group gap="xs" align="flex-end" wrap="nowrap">
    <TextInput
      flex={1}
      inputMode="decimal"
      maxLength={MAX_AMOUNT_LENGTH}
      value={value.amount}
      onChange={({ currentTarget }) => onChange({ ...value, amount: currentTarget.value })}
      {...field}
    />
    <TextInput
      w={84}
      aria-label={`Currency: ${field.label}`}
      maxLength={CURRENCY_CODE_LENGTH}
      value={value.currency}
      onChange={({ currentTarget }) =>
        onChange({ ...value, currency: currentTarget.value.toUpperCase() })
      }
    />
  </Group>
);

const MAX_AMOUNT_LENGTH = 20;

/** Codes are those of ISO 4217. */
const CURRENCY_CODE_LENGTH = 3;

interface DateTimeInputProps {
  label: string;
  /** A local date and time, in the time zone that the hint names. */
  value?: string;
  error?: ReactNode;
}

interface PeriodFieldsProps {
  start: DateTimeInputProps;
  end: DateTimeInputProps;
  hint: string;
}

/** Start and end of a period, with a hint about their time zone. */
export const PeriodFields = ({ start, end, hint }: PeriodFieldsProps) => (
  <div>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput type="datetime-local" {...start} />
      <TextInput type="datetime-local" {...end} />
    </SimpleGrid>
    <Text size="xs" c="dimmed" mt={4}>
      {hint}
    </Text>
  </div>
);

const TIME_ZONES = [...new Set([BROWSER_TIME_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Also offers `known`, a time zone that the browser may not know. */
export const TimeZoneSelect = ({ known, ...props }: SelectProps & { known?: string }) => (
  <Select
    label="Time zone"
    data={known === undefined ? TIME_ZONES : [...new Set([known, ...TIME_ZONES])]}
    searchable
    selectFirstOptionOnChange
    limit={200}
    allowDeselect={false}
    nothingFoundMessage="No matching time zone"
    {...props}
  />
);

interface NameAndSlugFieldsProps {
  form: {
    getFieldProps: (name: 'name' | 'slug') => object;
    setValues: (values: { name?: string; slug?: string }) => void;
  };
}

/** Derives the short name from the name until someone edits it. */
export function NameAndSlugFields({ form }: NameAndSlugFieldsProps) {
  const [isEdited, setIsEdited] = useState(false);
  return (
    <>
      <TextInput
        autoFocus
        data-autofocus
        {...form.getFieldProps('name')}
        onChange={({ currentTarget: { value } }) =>
          form.setValues(isEdited ? { name: value } : { name: value, slug: toSlug(value) })
        }
      />
      <TextInput
        {...form.getFieldProps('slug')}
        onChange={({ currentTarget: { value } }) => {
          setIsEdited(true);
          form.setValues({ slug: value });
        }}
      />
    </>
  );
}

const INVALID_SLUG = 'Use lowercase letters, digits and single dashes';

/** How forms show the slug of a row. */
export const SLUG_VIEW = {
  label: 'Short name',
  description: 'Used in URLs and on the command line',
  missing: INVALID_SLUG,
  invalid: INVALID_SLUG,
};

/** Converts a name to a slug: "Café Süd" becomes "cafe-sued". */
const toSlug = (name: string) =>
  slugify(name.normalize('NFKC'), { decamelize: false }).slice(0, 100).replace(/-$/, '');
