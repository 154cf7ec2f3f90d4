import { Progress, Text } from '@mantine/core';
import { soldWords } from './event-words.ts';

interface Props {
  /** Sold and held. */
  sold: number;
  /** Null: as many as like. */
  of: number | null;
}

/** In words; the bar below only helps the eye. */
export const SoldBar = ({ sold, of }: Props) => (
  <div style={{ maxWidth: 140 }}>
    <Text size="sm">{soldWords(sold, of)}</Text>
    {of !== null && of > 0 && (
      <Progress
        value={(100 * sold) / of}
        size="sm"
        mt={4}
        aria-hidden
        color={sold >= of ? 'orange' : 'indigo'}
      />
    )}
  </div>
);
