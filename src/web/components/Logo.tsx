import { Group, Image, Text } from '@mantine/core';
import mark from '../favicon.svg';

export const Logo = () => (
  <Group gap="xs" wrap="nowrap">
    <Image src={mark} alt="" w={28} h={28} />
    <Text fw={700} size="lg" component="span">
      Foyer
    </Text>
  </Group>
);
