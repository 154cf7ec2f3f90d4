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
import { getText, renderText } from '../../language/page-texts.ts';
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
      title={isPaid ? getText('order.thanks') : getText('order.unpaid')}
      description={isPaid ? getText('order.thanksHelp') : getText('order.unpaidHelp')}
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
    <PageHeader title={getText('page.myOrders')} description={getText('order.openLinkTickets')} />
    <FindOrders />
  </>
);

const InvalidOrderLink = () => (
  <Stack>
    <PageHeader title={getText('page.myOrders')} description={getText('order.openLink')} />
    <Alert color="orange" role="alert" title={getText('order.notFound')}>
      {getText('order.linkIncomplete')}
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

const getViews = (): FieldViews<FindOrdersMutationVariables> => ({
  email: {
    label: getText('order.email'),
    description: getText('order.orderedWith'),
    type: 'email',
    missing: getText('order.yourEmailMissing'),
  },
});

/** Shows the same message whether or not the address has orders. */
export function FindOrders() {
  const form = useInputForm('FindOrdersInput', getViews());
  const find = useMutation({
    mutationFn: (email: string) => request(FIND_ORDERS_MUTATION, { email }),
    gcTime: 0,
  });
  return (
    <SectionCard title={getText('order.find')} description={getText('order.findHelp')}>
      {find.isSuccess ? (
        <Stack align="flex-start">
          <Alert color="teal" role="status" title={getText('order.checkInbox')} w="100%">
            {renderText(
              'order.linksSent',
              { b: (label) => <b>{label}</b> },
              { email: find.variables },
            )}
          </Alert>
          <Button variant="default" onClick={find.reset}>
            {getText('order.otherEmail')}
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
              {getText('order.sendLinks')}
            </Button>
          </Stack>
        </form>
      )}
    </SectionCard>
  );
}
