import {
  Group,
  NumberInput,
  Select,
  type SelectProps,
  SimpleGrid,
  Text,
  TextInput,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { BROWSER_TIME_ZONE } from './format-local-time.ts';
import {
  getCurrencyDigits,
  isCurrencyCode,
  type Money,
  toMajorUnits,
  toMinorUnits,
} from './money.ts';
import { parseWallClock, SKIPPED_TIME_MESSAGE, toLocalDate, toLocalTime } from './wall-clock.ts';

/** The value of a number input. An empty input has an empty text. */
export type NumberInputValue = number | string;

export const toNumberOrNull = (value: NumberInputValue) => (value === '' ? null : Number(value));

interface MoneyFieldsProps {
  label: string;
  description?: string;
  /** In major units, such as euros. */
  price: NumberInputValue;
  currency: string;
  error?: ReactNode;
  onChange: (change: Partial<PriceValues>) => void;
}

export const MoneyFields = ({
  label,
  description,
  price,
  currency,
  error,
  onChange,
}: MoneyFieldsProps) => (
  <Group gap="xs" align="flex-end" wrap="nowrap">
    <NumberInput
      flex={1}
      label={label}
      description={description}
      min={0}
      decimalScale={getCurrencyDigits(currency)}
      value={price}
      error={error}
      onChange={(price) => onChange({ price })}
    />
    <TextInput
      w={84}
      aria-label={`Currency: ${label}`}
      maxLength={3}
      value={currency}
      onChange={({ currentTarget: { value } }) => onChange({ currency: value.toUpperCase() })}
    />
  </Group>
);

/** A price as form values, in major units. */
export interface PriceValues {
  price: NumberInputValue;
  currency: string;
}

export const toPriceValues = (price: Money | undefined, defaultCurrency = 'EUR'): PriceValues =>
  price
    ? { price: toMajorUnits(price), currency: price.currency }
    : { price: '', currency: defaultCurrency };

export const toMoneyInput = ({ price, currency }: PriceValues): Money => ({
  amount: toMinorUnits(Number(price), currency),
  currency,
});

export const validateCurrency = (code: string) =>
  isCurrencyCode(code) ? null : 'Enter a currency code, such as EUR';

export const priceValidators = {
  price: (price: NumberInputValue) => (price === '' ? 'Enter a price (0 = free)' : null),
  currency: validateCurrency,
};

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

/** The value of a datetime-local input: "2026-11-20T18:00", or empty. */
export const toLocalDateTime = (at: string | null, timeZone: string) =>
  at === null ? '' : `${toLocalDate(at, timeZone)}T${toLocalTime(at, timeZone)}`;

/** Null if the input is empty, or if clocks skip the time. */
export function parseLocalDateTime(local: string, timeZone: string): string | null {
  const [day = '', time = ''] = local.split('T');
  return parseWallClock(day, time.slice(0, 5), timeZone);
}

export const validateLocalDateTime = (local: string, timeZone: string) =>
  local !== '' && parseLocalDateTime(local, timeZone) === null ? SKIPPED_TIME_MESSAGE : null;

export function validateEndAfterStart(start: string, end: string, timeZone: string): string | null {
  const problem = validateLocalDateTime(end, timeZone);
  if (problem !== null || start === '' || end === '') return problem;
  const [from, to] = [parseLocalDateTime(start, timeZone), parseLocalDateTime(end, timeZone)];
  return from !== null && to !== null && to <= from ? 'Enter an end after the start' : null;
}

/** Returns the previous instant if the field is unchanged, as a local time can stand for two instants. */
export const toChangedInstant = (local: string, before: string | null, timeZone: string) =>
  before !== null && local === toLocalDateTime(before, timeZone)
    ? before
    : parseLocalDateTime(local, timeZone);

const TIME_ZONES = [...new Set([BROWSER_TIME_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Also offers `known`, a time zone that the browser may not know. */
export const TimeZoneSelect = ({ known, ...props }: SelectProps & { known?: string }) => (
  <Select
    label="Time zone"
    data={known === undefined ? TIME_ZONES : [...new Set([known, ...TIME_ZONES])]}
    searchable
    limit={200}
    allowDeselect={false}
    nothingFoundMessage="No matching time zone"
    {...props}
  />
);

interface NameAndSlugFieldsProps {
  values: { name: string; slug: string };
  errors: { name?: ReactNode; slug?: ReactNode };
  placeholder: string;
  onChange: (values: { name?: string; slug?: string }) => void;
}

/** Derives the short name from the name until someone edits it. */
export function NameAndSlugFields({
  values,
  errors,
  placeholder,
  onChange,
}: NameAndSlugFieldsProps) {
  const [isEdited, setIsEdited] = useState(false);
  return (
    <>
      <TextInput
        label="Name"
        placeholder={placeholder}
        maxLength={200}
        autoFocus
        data-autofocus
        value={values.name}
        error={errors.name}
        onChange={({ currentTarget: { value } }) =>
          onChange(isEdited ? { name: value } : { name: value, slug: toSlug(value) })
        }
      />
      <TextInput
        label="Short name"
        description="Used in URLs and on the command line"
        maxLength={100}
        value={values.slug}
        error={errors.slug}
        onChange={({ currentTarget: { value } }) => {
          setIsEdited(true);
          onChange({ slug: value });
        }}
      />
    </>
  );
}

const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Converts a name to a slug: "Café Süd" becomes "cafe-sud". */
const toSlug = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 100);

export const validateSlug = (slug: string) =>
  SLUG_PATTERN.test(slug) ? null : 'Use lowercase letters, digits and single dashes';
