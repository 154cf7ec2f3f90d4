import { Badge } from '@mantine/core';

/** A status label with a coloured dot. The dot repeats what the label says. */
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
