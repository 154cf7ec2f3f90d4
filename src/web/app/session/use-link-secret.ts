import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const parseLinkSecret = (hash: string) => hash.replace(/^#/, '') || null;

/** What stands after the # of the address. It is taken out of there at once, so that no history keeps it. */
export function useLinkSecret() {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [secret, setSecret] = useState(() => parseLinkSecret(hash));
  useEffect(() => {
    const given = parseLinkSecret(hash);
    if (given === null) return;
    setSecret(given); // another link may be followed while this page is open
    navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return { secret, forget: () => setSecret(null) };
}
