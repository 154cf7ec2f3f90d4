import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryOrNotFound } from '../../components/QueryBoundary.tsx';
import type { FindOrdersMutationVariables } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { OrderPortal } from './OrderPortal.tsx';
import { usePortalOrder } from './queries.ts';
import { findRememberedSecret, rememberOrder } from './remembered-order.ts';

/**
 * The secret stays in the URL fragment, unlike that of a one-time link, because buyers reload and bookmark this page. From
 * the payment provider they return to it without the secret.
 */
export function Component() {
  const { hash, search } = useLocation();
  const secret = hash.replace(/^#/, '');
  if (secret) return <OrderBySecret key={secret} secret={secret} />;
  const params = new URLSearchParams(search);
  const orderId = params.get('paid') ?? params.get('unpaid');
  if (orderId === null) return <OrderLookup />;
  const remembered = findRememberedSecret(orderId);
  if (remembered) return <Navigate to={`/orders#${remembered}`} replace />;
  return <ReturnFromCheckout isPaid={params.has('paid')} />;
}

/** For buyers who return in a browser or tab that did not show the order last. */
const ReturnFromCheckout = ({ isPaid }: { isPaid: boolean }) => (
  <Stack>
    <PageHeader
      title={isPaid ? 'Thank you for your payment' : 'You have not paid yet'}
      description={
        isPaid
          ? 'To see your order and its tickets, open the link in your confirmation email. It arrives within a few minutes.'
          : 'To pay, open your order in the browser tab in which you placed it, or request its link below.'
      }
    />
    <FindOrders />
  </Stack>
);

function OrderBySecret({ secret }: { secret: string }) {
  const order = usePortalOrder(secret);
  const id = order.data?.id;
  useEffect(() => {
    if (id) rememberOrder({ id, secret });
  }, [id, secret]);
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
      description="To see an order and its tickets, open the link in your confirmation email."
    />
    <FindOrders />
  </>
);

const InvalidOrderLink = () => (
  <Stack>
    <PageHeader
      title="My orders"
      description="To see an order, open the link in its confirmation email."
    />
    <Alert color="orange" role="alert" title="Order not found">
      The link may be incomplete. Copy the whole link from the latest email, or request your links
      below.
    </Alert>
    <FindOrders />
  </Stack>
);

const FIND_ORDERS_MUTATION = graphql(`
  mutation FindOrders($email: String!) {
    findOrders(input: { email: $email }) {
      email
    }
  }
`);

const VIEWS: FieldViews<FindOrdersMutationVariables> = {
  email: {
    label: 'Email address',
    description: 'The one you ordered with',
    type: 'email',
    missing: 'Enter your email address',
  },
};

/** Shows the same message whether or not the address has orders. */
export function FindOrders() {
  const form = useInputForm('FindOrdersInput', VIEWS);
  const find = useMutation({
    mutationFn: (email: string) => request(FIND_ORDERS_MUTATION, { email }),
    gcTime: 0,
  });
  return (
    <SectionCard title="Find my orders" description="We’ll email you links to your orders.">
      {find.isSuccess ? (
        <Stack align="flex-start">
          <Alert color="teal" role="status" title="Check your inbox" w="100%">
            If there are orders for <b>{find.variables}</b>, we’ve emailed you their links. This may
            take a minute. Check your spam folder, too.
          </Alert>
          <Button variant="default" onClick={find.reset}>
            Use another email address
          </Button>
        </Stack>
      ) : (
        <form
          onSubmit={form.onSubmit((values) => find.mutate(form.toInput(values).email))}
          noValidate
        >
          <Stack>
            <FormError error={find.error} />
            <InputField form={form} name="email" autoComplete="email" />
            <Button type="submit" loading={find.isPending}>
              Send me the links
            </Button>
          </Stack>
        </form>
      )}
    </SectionCard>
  );
}
