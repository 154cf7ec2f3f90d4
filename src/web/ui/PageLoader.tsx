import { Center, Loader } from '@mantine/core';

export const PageLoader = () => (
  <Center mih="60dvh" role="status" aria-label="Loading">
    <Loader />
  </Center>
);
