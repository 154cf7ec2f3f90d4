import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { Panel } from '../../ui/Panel.tsx';

const FIND = graphql(`
  mutation FindOrders($email: String!) {
    findOrders(email: $email)
  }
`);

/** Says the same whether somebody is known or not. */
export function FindOrders() {
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (value) => isEmail('Type your e-mail address')(value.trim()) },
  });
  const find = useMutation({
    mutationFn: (email: string) => request(FIND, { email }),
    gcTime: 0,
  });
  return (
    <Panel title="Find my orders" description="We send the links of your orders by mail.">
      {find.isSuccess ? (
        <Stack align="flex-start">
          <Alert color="teal" role="status" title="Look into your mailbox" w="100%">
            If there are orders for <b>{find.variables}</b>, their links are on their way. It may
            take a minute; look among the unwanted mail, too.
          </Alert>
          <Button variant="default" onClick={find.reset}>
            Use another address
          </Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit(({ email }) => find.mutate(email.trim()))} noValidate>
          <Stack>
            <FormFailure error={find.error} />
            <TextInput
              label="E-mail address"
              description="The one that you ordered with"
              type="email"
              autoComplete="email"
              maxLength={254}
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={find.isPending}>
              Send me the links
            </Button>
          </Stack>
        </form>
      )}
    </Panel>
  );
}
