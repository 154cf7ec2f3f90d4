import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { SignInFailure } from '../SignInFailure.tsx';
import { beginSession } from '../viewer.ts';

const REDEEM = graphql(`
  mutation RedeemSignInLink($secret: String!) {
    redeemSignInLink(secret: $secret)
  }
`);

interface Props {
  secret: string;
  onAskForAnother: () => void;
}

/** Asks for a click: programs that look at mails open links, too, and must not use this one up. */
export function RedeemLink({ secret, onAskForAnother }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const redeem = useMutation({
    mutationFn: async () => {
      await request(REDEEM, { secret });
      await beginSession(client);
    },
    onSuccess: () => navigate('/', { replace: true }),
    gcTime: 0,
  });
  if (redeem.error) {
    return (
      <Stack>
        <SignInFailure key={redeem.submittedAt} error={redeem.error} />
        <Button onClick={onAskForAnother} fullWidth>
          Ask for a new link
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>Your link is here. One click, and you are in.</Text>
      <Button onClick={() => redeem.mutate()} loading={redeem.isPending} fullWidth autoFocus>
        Sign in
      </Button>
    </Stack>
  );
}
