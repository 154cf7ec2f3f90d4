import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { LANGUAGES } from '../../../languages/languages.ts';
import { findNewVersion } from '../../api/errors.ts';
import { isSpaceOwner, useStaffViewer } from '../../app/session/viewer.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type {
  DisputedAdmission,
  Language,
  SettingsQuery,
  TaxNote,
  UpdateSettingsInput,
} from '../../gql/graphql.ts';
import { EditConflict, REPLACES_CHANGED_FIELDS } from '../EditForm.tsx';
import { useSettings, useUpdateSettings } from './queries.ts';

const CHANGE_TYPES = ['settings.updated'];

export function SpaceSettingsPage() {
  // After someone discards their changes, the form shows what the other person saved. Nothing else may replace what they typed.
  const [hasDiscarded, setHasDiscarded] = useState(false);
  return (
    <>
      <PageHeader
        title="Name, language and tax"
        description="For public pages, member pages, emails, displays and kiosks. The panel stays in English."
      />
      <QueryBoundary query={useSettings()}>
        {(settings) => (
          <SettingsForm
            key={hasDiscarded ? settings.updatedAt : 'form'}
            saved={settings}
            onDiscard={() => setHasDiscarded(true)}
          />
        )}
      </QueryBoundary>
    </>
  );
}

const VIEWS: FieldViews<UpdateSettingsInput> = {
  name: {
    label: 'Name of the space',
    description: 'In the titles and previews of pages, and as the sender of emails.',
  },
  language: { label: 'Language of the space' },
  taxNote: {
    label: 'Tax in prices',
    description: 'Shown next to prices on pages, in emails and on receipts. Prices do not change.',
  },
  disputedAdmission: {
    label: 'Tickets whose payment is disputed',
    description:
      'What happens at check-in while a buyer asks their bank to return the money of an order.',
  },
};

const DISPUTE_CHOICES: { value: DisputedAdmission; label: string }[] = [
  { value: 'ASK', label: 'Staff decide' },
  { value: 'ADMIT', label: 'They admit' },
  { value: 'REJECT', label: 'They do not admit' },
];

const CHOICES = Object.entries(LANGUAGES).map(([code, { name }]) => ({
  value: code.toUpperCase() as Language,
  label: name,
}));

const TAX_CHOICES: { value: TaxNote; label: string }[] = [
  { value: 'NONE', label: 'No note' },
  { value: 'INCLUDED', label: 'Prices include VAT' },
  { value: 'SMALL_BUSINESS', label: 'No VAT: small business (§ 19 UStG)' },
];

interface SettingsFormProps {
  saved: SettingsQuery['settings'];
  onDiscard: () => void;
}

function SettingsForm({ saved, onDiscard }: SettingsFormProps) {
  const isOwner = isSpaceOwner(useStaffViewer());
  const [opened, setOpened] = useState(saved);
  const form = useInputForm('UpdateSettingsInput', VIEWS, { row: opened });
  const update = useUpdateSettings(({ updatedAt, ...settings }) => {
    const values = { ...settings, name: settings.name ?? '' };
    setOpened({ ...settings, updatedAt });
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
    form.acceptVersion(updatedAt);
    notifySuccess('Name, language and tax saved.');
  });
  const newVersion = findNewVersion(update.error);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (form.isDirty()) update.mutate(form.toChanges(values));
      })}
    >
      <Stack maw={420} align="flex-start">
        {newVersion === null ? (
          <FormError error={update.error} />
        ) : (
          <EditConflict
            key={newVersion}
            row={{ id: null, updatedAt: opened.updatedAt, changeTypes: CHANGE_TYPES }}
            effect={REPLACES_CHANGED_FIELDS}
            onKeep={() => form.acceptVersion(newVersion)}
            onDiscard={onDiscard}
          />
        )}
        <TextInput {...form.getFieldProps('name')} disabled={!isOwner} w="100%" />
        <NativeSelect
          {...form.getFieldProps('language')}
          data={CHOICES}
          disabled={!isOwner}
          w="100%"
        />
        <NativeSelect
          {...form.getFieldProps('taxNote')}
          data={TAX_CHOICES}
          disabled={!isOwner}
          w="100%"
        />
        <NativeSelect
          {...form.getFieldProps('disputedAdmission')}
          data={DISPUTE_CHOICES}
          disabled={!isOwner}
          w="100%"
        />
        <Text size="sm" c="dimmed">
          {isOwner
            ? 'Displays and kiosks change within an hour, or when you reload them.'
            : 'Only owners can change these settings.'}
        </Text>
        {isOwner && (
          <Button type="submit" loading={update.isPending} disabled={newVersion !== null}>
            Save
          </Button>
        )}
      </Stack>
    </form>
  );
}
