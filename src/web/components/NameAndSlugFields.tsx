import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Props {
  values: { name: string; slug: string };
  errors: { name?: ReactNode; slug?: ReactNode };
  placeholder: string;
  onChange: (values: { name?: string; slug?: string }) => void;
}

/** The short name follows the name until it is changed by hand. */
export function NameAndSlugFields({ values, errors, placeholder, onChange }: Props) {
  const [isOwn, setIsOwn] = useState(false);
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
          onChange(isOwn ? { name: value } : { name: value, slug: toSlug(value) })
        }
      />
      <TextInput
        label="Short name"
        description="For addresses and the command line"
        maxLength={100}
        value={values.slug}
        error={errors.slug}
        onChange={({ currentTarget: { value } }) => {
          setIsOwn(true);
          onChange({ slug: value });
        }}
      />
    </>
  );
}

const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A short name for addresses, made from the full one: "Café Süd" gives "cafe-sud". */
const toSlug = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);

export const validateSlug = (slug: string) =>
  SLUG_PATTERN.test(slug) ? null : 'Lower-case letters and digits, with single dashes between';
