import { Center, Image, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import QRCode from 'qrcode';
import { Loaded } from '../../ui/Loaded.tsx';
import classes from './TicketPage.module.css';

/** Drawn here: no address of a picture carries the code. */
export function QrCode({ code }: { code: string }) {
  const picture = useQuery({
    queryKey: ['qr', code],
    queryFn: async () => {
      const svg = await QRCode.toString(code, { type: 'svg', margin: 2 });
      return `data:image/svg+xml,${encodeURIComponent(svg)}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
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
  );
}
