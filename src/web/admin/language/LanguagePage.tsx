import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { LANGUAGES } from '../../../languages/languages.ts';
import { isSpaceOwner, useStaffViewer } from '../../app/session/viewer.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { Language } from '../../gql/graphql.ts';
import { useSettings, useUpdateSettings } from './queries.ts';

export const LanguagePage = () => (
  <>
    <PageHeader
      title="Language"
      description="Of public pages, the pages of members, emails, displays and kiosks. The panel is in English."
    />
    <QueryBoundary query={useSettings()}>
      {({ language }) => <LanguageForm key={language} saved={language} />}
    </QueryBoundary>
  </>
);

const CHOICES = Object.entries(LANGUAGES).map(([code, { name }]) => ({
  value: code.toUpperCase() as Language,
  label: name,
}));

function LanguageForm({ saved }: { saved: Language }) {
  const isOwner = isSpaceOwner(useStaffViewer());
  const [language, setLanguage] = useState(saved);
  const update = useUpdateSettings(() => notifySuccess('Language changed.'));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ language });
      }}
    >
      <Stack maw={420} align="flex-start">
        <FormError error={update.error} />
        <NativeSelect
          label="Language of the space"
          data={CHOICES}
          value={language}
          onChange={({ currentTarget: { value } }) => setLanguage(value as Language)}
          disabled={!isOwner}
          w="100%"
        />
        <Text size="sm" c="dimmed">
          {isOwner
            ? 'Displays and kiosks change within an hour, or when you reload them.'
            : 'Only owners can change the language.'}
        </Text>
        {isOwner && (
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        )}
      </Stack>
    </form>
  );
}
