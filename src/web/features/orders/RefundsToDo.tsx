import { Alert, Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { IconAlert } from '../../ui/icons.tsx';
import { useRefundsToDo } from './refund-queries.ts';

const MOST = 50;

/** Money that goes back only if somebody of the staff does something. */
export function RefundsToDo() {
  const { data } = useRefundsToDo();
  if (data === undefined || data.onSite + data.failed === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlert />} role="status" mb="md">
      {data.onSite > 0 && (
        <div>
          {countWords(data.onSite)} to be handed out at the front desk.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=due"
            inherit
            c="inherit"
            td="underline"
          >
            See who gets money
          </Anchor>
        </div>
      )}
      {data.failed > 0 && (
        <div>
          {countWords(data.failed)} the payment provider could not make.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=failed"
            inherit
            c="inherit"
            td="underline"
          >
            See what went wrong
          </Anchor>
        </div>
      )}
    </Alert>
  );
}

const countWords = (count: number) =>
  count === 1 ? '1 refund' : `${count >= MOST ? `${MOST} or more` : count} refunds`;
