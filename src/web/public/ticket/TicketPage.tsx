import { Center, Image, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import QRCode from 'qrcode';
import { useLocation } from 'react-router';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import classes from './TicketPage.module.css';

const LONGEST = 64;

/** The code stays behind the #, so the picture is drawn here; it also shows without a connection. */
export function Component() {
  const code = decoded(useLocation().hash.replace(/^#/, ''));
  if (code === '' || code.length > LONGEST) {
    return (
      <PageHeader
        title="This link is incomplete"
        description="Its code is missing. Open the link in your mail again, or copy the whole of it."
      />
    );
  }
  return <Code code={code} />;
}

function Code({ code }: { code: string }) {
  const picture = useQuery({
    queryKey: ['qr', code],
    queryFn: async () => {
      const svg = await QRCode.toString(code, { type: 'svg', margin: 2 });
      return `data:image/svg+xml,${encodeURIComponent(svg)}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <PageHeader title="Your ticket" description="Show this at the door." />
      <Loaded query={picture} height={320}>
        {(src) => (
          <Center>
            <figure className={classes.ticket}>
              <Image src={src} alt={`QR code of ${code}`} className={classes.qr ?? ''} />
              <Text component="figcaption" className={classes.code ?? ''}>
                {code}
              </Text>
            </figure>
          </Center>
        )}
      </Loaded>
    </>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return '';
  }
}
