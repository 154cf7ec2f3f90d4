import type { TestService } from '../service.ts';
import { createMemberFixtures } from '../steps/member-fixtures.ts';

let harbour: ReturnType<typeof createMemberFixtures> | undefined;

/** Returns the harbour house with its room and its member. Creates them with the first call. */
export const getHarbour = (here: TestService) => {
  harbour ??= createMemberFixtures(here);
  return harbour;
};
