import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Props {
  values: { name: string; slug: string };
  errors: { name?: ReactNode; slug?: ReactNode };
  placeholder: string;
  onChange: (values: { name?: string; slug?: string }) => void;
}

/** Derives the short name from the name until it is edited. */
export function NameAndSlugFields({ values, errors, placeholder, onChange }: Props) {
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
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);

export const validateSlug = (slug: string) =>
  SLUG_PATTERN.test(slug) ? null : 'Use lowercase letters, digits and single dashes';
