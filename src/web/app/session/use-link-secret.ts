import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const parseLinkSecret = (hash: string) => hash.replace(/^#/, '') || null;

/** Reads the secret after the # of the URL and removes it at once, so that the browser history does not store it. */
export function useLinkSecret() {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [secret, setSecret] = useState(() => parseLinkSecret(hash));
  useEffect(() => {
    const next = parseLinkSecret(hash);
    if (next === null) return;
    setSecret(next); // another link can be opened while this page is open
    navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return { secret, clear: () => setSecret(null) };
}
