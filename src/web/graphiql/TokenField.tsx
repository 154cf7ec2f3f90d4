import { type FormEvent, useState } from 'react';
import { ADMIN_PATH } from '../api/urls.ts';

interface Props {
  token: string;
  onChange: (token: string) => void;
}

/** The header of the page: who sends the requests. */
export function TokenField({ token, onChange }: Props) {
  const [draft, setDraft] = useState(token);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(draft.trim());
  };
  const clear = () => {
    setDraft('');
    onChange('');
  };
  return (
    <header className="explorer-header">
      <h1>API explorer</h1>
      <form onSubmit={submit}>
        <label htmlFor="token">API key</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="foyer_…"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <button type="submit" disabled={draft.trim() === token}>
          Use
        </button>
        {token && (
          <button type="button" onClick={clear}>
            Remove
          </button>
        )}
      </form>
      <p role="status">
        {token
          ? 'Requests use the API key.'
          : 'Requests use your session in the panel, if you have one.'}
      </p>
      <nav>
        <a href={ADMIN_PATH}>Panel</a>
      </nav>
    </header>
  );
}
