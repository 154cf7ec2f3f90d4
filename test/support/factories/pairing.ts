import type { Credential, GraphqlResponse } from '../clients/api.ts';
import { uniqueAddress } from '../clients/sign-in.ts';
import { STAFF, type TestApp } from '../harness/app.ts';

export interface Pairing {
  pairing_code: string;
  poll_token: string;
  expires_at: string;
  poll_after_seconds: number;
}

export const CLAIM_PAIRING = `mutation ($input: ClaimPairingInput!) { claimPairing(input: $input) {
  display { id name kind status tokenPrefix location { id } resource { id } } } }`;

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
});

/** The steps of pairing a screen, with the location and the owner who claims its code. The service trusts one proxy. */
export async function createPairingActions(app: TestApp) {
  const owner: Credential = { cookie: await app.signIn(STAFF.owner) };
  const { id: resourceId, locationId } = await app.ctx.db.resource.findUniqueOrThrow({
    where: { slug: 'atelier' },
  });

  const request = (address = uniqueAddress(), headers: Record<string, string> = {}) =>
    app.rest('/displays/pairings', {}, { method: 'POST', ...from(address, headers) });
  const sendPoll = (token: string, address = uniqueAddress()) =>
    app.rest(`/displays/pairings/${token}`, {}, from(address));
  const sendClaim = (
    pairingCode: string,
    input: object = {},
    as = owner,
  ): Promise<GraphqlResponse> => {
    const target = 'displayId' in input ? {} : { name: 'Door', locationId };
    return app.graphql(CLAIM_PAIRING, { input: { pairingCode, ...target, ...input } }, as);
  };

  return {
    owner,
    locationId,
    resourceId,
    request,
    start: async () => (await request()).body.data as Pairing,
    sendPoll,
    poll: async ({ poll_token }: Pairing) =>
      (await sendPoll(poll_token)).body.data as { status: string; device_token?: string },
    sendClaim,
    claim: async (pairing: Pairing, input: object = {}) =>
      (await sendClaim(pairing.pairing_code, input)).data.claimPairing.display as { id: string },
    isAccepted: async (token: string | undefined) =>
      (await app.rest(`/displays/state/${token}`)).status === 200,
    findRow: ({ pairing_code: code }: Pairing) =>
      app.ctx.db.displayPairing.findUniqueOrThrow({ where: { code } }),
  };
}
