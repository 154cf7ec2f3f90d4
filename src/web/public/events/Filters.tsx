import { Chip, Group, TextInput } from '@mantine/core';

interface Wish {
  q: string;
  tag: string;
}

interface Props {
  wish: Wish;
  /** Those of the events that are shown. */
  tags: string[];
  change: (changes: Partial<Wish>) => void;
}

const MOST_TAGS = 12;

export function Filters({ wish, tags, change }: Props) {
  const offered = [...new Set(tags)].sort().slice(0, MOST_TAGS);
  const shown = wish.tag && !offered.includes(wish.tag) ? [wish.tag, ...offered] : offered;
  return (
    <search>
      <TextInput
        type="search"
        aria-label="Search events"
        placeholder="Search"
        maxLength={200}
        mb="sm"
        value={wish.q}
        onChange={({ currentTarget: { value } }) => change({ q: value })}
      />
      <Group gap="xs" mb="lg" mih={28} role="group" aria-label="Topics">
        {shown.map((tag) => (
          <Chip
            key={tag}
            size="xs"
            variant="outline"
            checked={tag === wish.tag}
            onChange={(checked) => change({ tag: checked ? tag : '' })}
          >
            {tag}
          </Chip>
        ))}
      </Group>
    </search>
  );
}
