import { useState } from 'react';
import { type Identity, identity, isUserIdForHeader, useStatus } from '../api/index.ts';
import { Button, Checkbox, Dialog, Field, Input, Select } from '../design/index.ts';
import { LOCALES, language, speak, useWords } from '../language/index.ts';
import { useStored } from './stored.ts';
import { type Theme, theme } from './theme.ts';
import { shellWords } from './words.ts';

/** Language and appearance of this browser, and in dev auth the person to act as. */
export function PreferencesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useWords(shellWords);
  return (
    <Dialog open={open} onClose={onClose} title={words.preferences}>
      <div className="grid gap-5">
        <Appearance />
        <IdentityForm onSaved={onClose} />
      </div>
    </Dialog>
  );
}

function Appearance() {
  const words = useWords(shellWords);
  const themes: readonly Theme[] = ['system', 'light', 'dark'];
  const isTheme = (name: string): name is Theme => themes.some((each) => each === name);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={words.language}>
        <Select value={LOCALES[useStored(language)]} onChange={(event) => speak(event.target.value)}>
          <option value="zh-CN" lang="zh-CN">
            中文
          </option>
          <option value="en" lang="en">
            English
          </option>
        </Select>
      </Field>
      <Field label={words.theme}>
        <Select
          value={useStored(theme)}
          onChange={(event) => {
            if (isTheme(event.target.value)) theme.set(event.target.value);
          }}
        >
          {themes.map((name) => (
            <option key={name} value={name}>
              {words.themes[name]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

/** In dev auth a name; with tokens, a token. The page starts anew as that person. */
export function IdentityForm({ onSaved }: { onSaved: () => void }) {
  const words = useWords(shellWords);
  const usesTokens = useStatus().data?.auth !== 'dev';
  const [draft, setDraft] = useState<Identity>(identity.get());
  const isRefused = !usesTokens && draft.userId !== '' && !isUserIdForHeader(draft.userId);
  return (
    <form
      className="grid gap-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRefused) return;
        identity.set(draft);
        onSaved();
      }}
    >
      {usesTokens ? (
        <Field label={words.token} hint={words.tokenHint}>
          <Input
            type="password"
            autoComplete="off"
            value={draft.token}
            onChange={(event) => setDraft({ ...draft, token: event.target.value.trim() })}
          />
        </Field>
      ) : (
        <>
          <Field label={words.actAs} hint={words.actAsHint} error={isRefused ? words.actAsInvalid : undefined}>
            <Input
              placeholder="dev"
              autoComplete="off"
              value={draft.userId}
              onChange={(event) => setDraft({ ...draft, userId: event.target.value.trim() })}
            />
          </Field>
          <Checkbox
            label={words.actAsAdmin}
            checked={draft.isAdmin}
            onChange={(event) => setDraft({ ...draft, isAdmin: event.target.checked })}
          />
        </>
      )}
      <Button type="submit" look="primary" className="justify-self-end">
        {words.save}
      </Button>
    </form>
  );
}
