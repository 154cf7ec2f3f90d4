import { Progress, Text } from '@mantine/core';
import { formatSold } from './event-labels.ts';

interface Props {
  /** Sold and held. */
  sold: number;
  /** Null: as many as like. */
  limit: number | null;
}

/** In words; the bar below only helps the eye. */
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
