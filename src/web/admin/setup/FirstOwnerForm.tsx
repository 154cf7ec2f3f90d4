import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLinkSecret } from '../../app/session/use-link-secret.ts';
import { beginSession } from '../../app/session/viewer.ts';
import { FormError, focusInvalidField } from '../../components/ErrorAlerts.tsx';
import { CenteredPage } from '../../components/PageLayout.tsx';
import type { CreateFirstOwnerInput } from '../../gql/graphql.ts';
import { createFirstOwner } from './queries.ts';

/** Creates the first owner with the setup code, which the link on the console contains. */
export function FirstOwnerForm() {
  const { secret: code } = useLinkSecret();
  return (
    <CenteredPage title="Set up Foyer">
      <OwnerFields key={code} code={code ?? ''} />
    </CenteredPage>
  );
}

function OwnerFields({ code }: { code: string }) {
  const client = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code, name: '', email: '', password: '' },
    validate: {
      code: isNotEmpty('Enter the setup code that Foyer printed when it started'),
      name: isNotEmpty('Enter your name'),
      email: isEmail('Enter your email address'),
      password: isNotEmpty('Choose a password'),
    },
  });
  const create = useMutation({
    mutationFn: async (input: CreateFirstOwnerInput) => {
      await createFirstOwner(input);
      await beginSession(client);
    },
    gcTime: 0,
  });
  const submit = form.onSubmit((values) => create.mutate(values));
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
        <Text size="sm">
          Create the account of the owner. The setup code shows that you run this installation.
        </Text>
        <TextInput
          label="Setup code"
          description="Foyer prints it when it starts. A restart prints a new one."
          name="code"
          autoComplete="one-time-code"
          autoFocus={code === ''}
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <TextInput
          label="Your name"
          name="name"
          autoComplete="name"
          autoFocus={code !== ''}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Email address"
          description="You use it to sign in"
          type="email"
          name="email"
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description="At least 12 characters. A few unrelated words work well."
          name="password"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={create.isPending} fullWidth>
          Create owner
        </Button>
      </Stack>
    </form>
  );
}
