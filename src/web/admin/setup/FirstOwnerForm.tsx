import { Button, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isLanguage, LANGUAGES } from '../../../languages/languages.ts';
import { beginSession } from '../../app/session/session-changes.ts';
import { useLinkSecret } from '../../app/session/use-link-secret.ts';
import { FormError, focusInvalidField } from '../../components/ErrorAlerts.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { CenteredPage } from '../../components/PageLayout.tsx';
import type { CreateFirstOwnerInput, Language } from '../../gql/graphql.ts';
import { changePageLanguage, getText, usePageLanguage } from '../../language/page-texts.ts';
import { createFirstOwner } from './queries.ts';

/**
 * Chooses the language and the name of the space, and creates the first owner with the setup code, which the link on the console
 * contains.
 */
export function FirstOwnerForm() {
  const { secret: code } = useLinkSecret();
  const language = usePageLanguage();
  return (
    <CenteredPage title={getText('setup.title')}>
      <NativeSelect
        label={getText('setup.language')}
        description={getText('setup.languageDescription')}
        value={language}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguage(value)) void changePageLanguage(value).catch(() => undefined);
        }}
        data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
        mb="md"
      />
      <OwnerFields key={code} code={code ?? ''} language={language.toUpperCase() as Language} />
    </CenteredPage>
  );
}

function OwnerFields({ code, language }: { code: string; language: Language }) {
  const client = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { spaceName: '', code, name: '', email: '', password: '' },
    validate: {
      code: isNotEmpty(getText('setup.codeMissing')),
      name: isNotEmpty(getText('setup.nameMissing')),
      email: isEmail(getText('setup.emailMissing')),
      password: isNotEmpty(getText('setup.passwordMissing')),
    },
  });
  const create = useMutation({
    mutationFn: async (input: CreateFirstOwnerInput) => {
      await createFirstOwner(input);
      await beginSession(client);
    },
    gcTime: 0,
  });
  const submit = form.onSubmit(({ spaceName, ...values }) =>
    create.mutate({ ...values, language, spaceName: spaceName.trim() || null }),
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        submit(event);
        focusInvalidField(event.currentTarget);
      }}
    >
      <Stack>
        <FormError error={create.error} />
        <TextInput
          label={getText('page.optional', { label: getText('setup.spaceName') })}
          description={getText('setup.spaceNameDescription')}
          name="spaceName"
          autoComplete="organization"
          {...toLimitProps('CreateFirstOwnerInput', 'spaceName')}
          key={form.key('spaceName')}
          {...form.getInputProps('spaceName')}
        />
        <Text size="sm">{getText('setup.intro')}</Text>
        <TextInput
          label={getText('setup.code')}
          description={getText('setup.codeDescription')}
          name="code"
          autoComplete="one-time-code"
          autoFocus={code === ''}
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <TextInput
          label={getText('setup.name')}
          name="name"
          autoComplete="name"
          autoFocus={code !== ''}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={getText('setup.email')}
          description={getText('setup.emailDescription')}
          type="email"
          name="email"
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={getText('setup.password')}
          description={getText('setup.passwordDescription')}
          name="password"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': getText('setup.showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={create.isPending} fullWidth>
          {getText('setup.createOwner')}
        </Button>
      </Stack>
    </form>
  );
}
