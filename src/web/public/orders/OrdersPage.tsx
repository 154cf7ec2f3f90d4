import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryOrNotFound } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { graphql } from '../../gql/index.ts';
import { OrderPortal } from './OrderPortal.tsx';
import { usePortalOrder } from './queries.ts';

/**
 * Unlike links that work once, the secret stays in the address, behind the #: buyers reload this page, keep it, and come
 * back to it from paying.
 */
export function Component() {
  const secret = useLocation().hash.replace(/^#/, '');
  return secret ? <OrderBySecret key={secret} secret={secret} /> : <OrderLookup />;
}

function OrderBySecret({ secret }: { secret: string }) {
  const order = usePortalOrder(secret);
  return (
    <QueryOrNotFound query={order} height={480} notFound={<InvalidOrderLink />}>
      {(order) => <OrderPortal order={order} secret={secret} />}
    </QueryOrNotFound>
  );
}

const OrderLookup = () => (
  <>
    <PageHeader
      title="My orders"
      description="Each order has a page of its own, with its tickets. Its link is in the mail that you got."
    />
    <FindOrders />
  </>
);

const InvalidOrderLink = () => (
  <Stack>
    <PageHeader title="My orders" description="Each order has a page of its own." />
    <Alert color="orange" role="alert" title="This link is incomplete">
      It leads to no order. Copy the whole link out of the newest mail, or have the links sent to
      you again.
    </Alert>
    <FindOrders />
  </Stack>
);

const FIND_ORDERS_MUTATION = graphql(`
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
    mutationFn: (email: string) => request(FIND_ORDERS_MUTATION, { email }),
    gcTime: 0,
  });
  return (
    <SectionCard title="Find my orders" description="We send the links of your orders by mail.">
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
            <FormError error={find.error} />
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
    </SectionCard>
  );
}
