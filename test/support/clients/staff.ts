import type { TestApp } from '../harness/app.ts';
import { sendQuery } from './sign-in.ts';

export const NEW_PASSWORD = 'harbour pencil quiet moss';

const FIELDS = 'id name email role status lastActiveAt linkExpiresAt activeTokenCount isYou';

const toInputType = (mutation: string) => `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;

/** The operations on staff, by default as the owner. */
export function createStaffActions(stage: () => { app: TestApp; owner: string }) {
  async function send(query: string, variables: object = {}, cookie = stage().owner) {
    const { data, error, setCookie } = await sendQuery(stage().app, query, variables, { cookie });
    return {
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
      data: data as any,
      code: error?.extensions.code,
      message: error?.message,
      reason: error?.extensions.reason,
      setCookie,
    };
  }

  async function list() {
    const { data } = await send(`{ staff(first: 100) { edges { node { ${FIELDS} } } } }`);
    return (data.staff.edges as { node: Record<string, unknown> }[]).map(({ node }) => node);
  }

  /** A mutation that returns a staff user. */
  const change = async (name: string, input: object, cookie?: string) => {
    const { data, ...rest } = await send(
      `mutation ($input: ${toInputType(name)}!) { ${name}(input: $input) { staffUser { ${FIELDS} } } }`,
      { input },
      cookie,
    );
    return { staffUser: data?.[name].staffUser, ...rest };
  };

  const withdraw = (id: string) =>
    send(
      `mutation ($id: ID!) { withdrawStaffInvitation(input: { id: $id }) { deletedStaffUserId } }`,
      { id },
    );

  const changeWithLink = async (name: string, input: object, cookie?: string) => {
    const { data, ...rest } = await send(
      `mutation ($input: ${toInputType(name)}!) { ${name}(input: $input) { url staffUser { ${FIELDS} } } }`,
      { input },
      cookie,
    );
    return { ...data?.[name], ...rest };
  };

  let invited = 0;
  async function invite(role = 'FRONT_DESK') {
    invited += 1;
    const email = `invited-${invited}@example.org`;
    const { url, staffUser } = await changeWithLink('inviteStaff', {
      name: 'Ina Vited',
      email,
      role,
    });
    return {
      email,
      id: staffUser.id as string,
      secret: new URL(url).hash.slice(1),
      staffUser,
      url,
    };
  }

  const accept = async (secret: string, password = NEW_PASSWORD) =>
    send(
      'mutation ($input: AcceptStaffLinkInput!) { acceptStaffLink(input: $input) { staffUser { id status } } }',
      { input: { secret, password } },
      '',
    );

  const fetchLink = (secret: string) =>
    send(
      'query ($secret: String!) { staffLink(secret: $secret) { purpose name email expiresAt } }',
      { secret },
      '',
    );

  return { send, list, change, withdraw, changeWithLink, invite, accept, fetchLink };
}
