import { Progress, Text } from '@mantine/core';
import { formatSold } from '../../components/format-sold.ts';

interface Props {
  /** Tickets sold or on hold. */
  sold: number;
  /** Null means unlimited. */
  limit: number | null;
}

/** The text carries the information; the bar is decoration. */
export const SalesProgress = ({ sold, limit }: Props) => (
  <div style={{ maxWidth: 140 }}>
    <Text size="sm">{formatSold(sold, limit)}</Text>
    {limit !== null && limit > 0 && (
      <Progress
        value={(100 * sold) / limit}
        size="sm"
        mt={4}
        aria-hidden
        color={sold >= limit ? 'orange' : 'indigo'}
      />
    )}
  </div>
);
