import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { COUNTRIES, formatCountry } from '../../../core/countries.ts';
import { InputField } from '../../components/InputFields.tsx';
import type { FieldView, FieldViews } from '../../components/input-values.ts';
import { getPageLanguage } from '../../language/page-texts.ts';

/** Where invoices go. Members and teams have it. */
export interface BillingDetails {
  address?: string | null;
  postcode?: string | null;
  city?: string | null;
  country?: string | null;
  customerNumber?: string | null;
}

export const BILLING_VIEWS: FieldViews<BillingDetails> = {
  address: { label: 'Street and number', rows: 1, maxRows: 3 },
  postcode: { label: 'Postcode' },
  city: { label: 'City' },
  country: { label: 'Country', invalid: 'Choose a country' },
  customerNumber: { label: 'Customer number' },
};

interface BillingFieldsProps {
  form: {
    getField: (name: keyof BillingDetails) => { view: FieldView; kind: string };
    getFieldProps: (name: keyof BillingDetails) => object;
  };
}

/** The fields of an address for invoices, in the order in which people write it. */
export const BillingFields = ({ form }: BillingFieldsProps) => (
  <>
    <InputField form={form} name="address" />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <InputField form={form} name="postcode" />
      <InputField form={form} name="city" />
    </SimpleGrid>
    <CountrySelect {...(form.getFieldProps('country') as CountrySelectProps)} />
    <InputField form={form} name="customerNumber" />
  </>
);

interface CountrySelectProps {
  value: string;
  onChange: (code: string) => void;
}

const CountrySelect = ({ value, onChange, ...field }: CountrySelectProps) => (
  <Select
    {...field}
    data={listCountries()}
    value={value || null}
    onChange={(code) => onChange(code ?? '')}
    searchable
    clearable
    nothingFoundMessage="No matching country"
  />
);

const listCountries = () =>
  COUNTRIES.map((code) => ({ value: code, label: formatCountry(code, getPageLanguage()) })).sort(
    (one, other) => one.label.localeCompare(other.label, getPageLanguage()),
  );

/** The lines of an address as they stand on a letter. */
const toAddressLines = ({ address, postcode, city, country }: BillingDetails): string[] =>
  [
    ...(address?.split('\n') ?? []),
    [postcode, city].filter(Boolean).join(' '),
    country ? formatCountry(country, getPageLanguage()) : '',
  ].filter((line) => line !== '');

export const hasAddress = (details: BillingDetails) => toAddressLines(details).length > 0;

export function BillingAddress({ details }: { details: BillingDetails }) {
  const lines = toAddressLines(details);
  return (
    <Stack gap={0}>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Stack>
  );
}
