import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const parseLinkSecret = (hash: string) => hash.replace(/^#/, '') || null;

/** Returns the secret after the # of the URL and removes it from the URL, so that it stays out of the browser history. */
export function useLinkSecret() {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [secret, setSecret] = useState(() => parseLinkSecret(hash));
  useEffect(() => {
    const next = parseLinkSecret(hash);
    if (next === null) return;
    setSecret(next); // a second link can be opened while the page is open
    navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return { secret, clear: () => setSecret(null) };
}
