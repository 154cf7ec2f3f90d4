import { Badge } from '@mantine/core';

/** A state in a word; the dot's colour only helps to find it. */
export const StatusBadge = ({ color, children }: { color: string; children: string }) => (
  <Badge
    variant="default"
    leftSection={
      <svg width="8" height="8" aria-hidden="true" focusable="false">
        <circle cx="4" cy="4" r="4" fill={`var(--mantine-color-${color}-6)`} />
      </svg>
    }
  >
    {children}
  </Badge>
);
