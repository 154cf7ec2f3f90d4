import { List } from '@mantine/core';

interface Props {
  reasons: { reason: string; message: string }[];
}

/** What stands in the way, in the service's own words. */
export const Reasons = ({ reasons }: Props) =>
  reasons.length === 0 ? null : (
    <List size="sm" c="var(--mantine-color-error)" role="alert">
      {reasons.map(({ reason, message }) => (
        <List.Item key={reason}>{message}</List.Item>
      ))}
    </List>
  );
