import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { slugFrom } from './slug.ts';

interface Props {
  values: { name: string; slug: string };
  errors: { name?: ReactNode; slug?: ReactNode };
  placeholder: string;
  onChange: (values: { name?: string; slug?: string }) => void;
}

/** The short name follows the name until it is changed by hand. */
export function NameAndSlug({ values, errors, placeholder, onChange }: Props) {
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
          onChange(isOwn ? { name: value } : { name: value, slug: slugFrom(value) })
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
