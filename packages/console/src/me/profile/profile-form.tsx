import { type JsonObject, ProfileInput, UserProfile } from '@kith/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/index.ts';
import { Button, Card, Field, Input, Notice, Textarea, toast } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { useFirstPreferences } from '../first-settings.ts';
import { meWords } from '../words.ts';
import { profileWords } from './words.ts';

const orNull = (text: string) => text.trim() || null;

interface Draft {
  username: string;
  display_name: string;
  email: string;
  department: string;
  role: string;
  bio: string;
  custom_fields: string;
}

const draftOf = (profile: UserProfile | null): Draft => ({
  username: profile?.username ?? '',
  display_name: profile?.display_name ?? '',
  email: profile?.email ?? '',
  department: profile?.department ?? '',
  role: profile?.role ?? '',
  bio: profile?.bio ?? '',
  custom_fields: shown(profile?.custom_fields ?? {}),
});

const shown = (fields: JsonObject) => (Object.keys(fields).length > 0 ? JSON.stringify(fields, null, 2) : '');

/** The draft as the wire has it. What is not JSON is told in the words of a schema, at its field. */
function check({ custom_fields, ...draft }: Draft) {
  const fields = readObject(custom_fields);
  if (!fields) {
    return { success: false, error: { issues: [{ path: ['custom_fields'], message: 'Invalid JSON' }] } } as const;
  }
  return ProfileInput.safeParse({
    username: draft.username.trim(),
    display_name: orNull(draft.display_name),
    email: orNull(draft.email),
    department: orNull(draft.department),
    role: orNull(draft.role),
    bio: orNull(draft.bio),
    custom_fields: fields,
  });
}

function readObject(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function ProfileForm({ profile }: { profile: UserProfile | null }) {
  const words = useWords(profileWords);
  const { save, saved } = useWords(meWords);
  const queries = useQueryClient();
  const preferences = useFirstPreferences();
  const form = useForm({
    initial: draftOf(profile),
    check,
    async save(input) {
      const stored = await (profile
        ? api.patch('api/v1/users/me/profile', UserProfile, { body: input })
        : api.put('api/v1/users/me/profile', UserProfile, {
            body: { ...input, settings: { version: 2, preferences } },
          }));
      // Before the shell hears that there is a profile: it takes the page's language from these.
      queries.setQueryData(['me', 'settings'], stored.settings);
      toast(saved, 'good');
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const field = (name: Exclude<keyof Draft, 'bio' | 'custom_fields'>) => ({
    value: form.draft[name],
    onChange: (event: { target: { value: string } }) => form.set({ [name]: event.target.value }),
  });
  return (
    <Card title={words.profile}>
      <form className="grid gap-4" onSubmit={form.onSubmit} noValidate>
        {profile ? (
          <p className="text-sm text-faint">{words.profileHint}</p>
        ) : (
          <Notice tone="accent">{words.noProfile}</Notice>
        )}
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label={words.username} error={form.error('username')}>
            <Input autoComplete="username" required {...field('username')} />
          </Field>
          <Field label={words.displayName} hint={words.displayNameHint} error={form.error('display_name')}>
            <Input autoComplete="name" {...field('display_name')} />
          </Field>
          <Field label={words.department} error={form.error('department')}>
            <Input {...field('department')} />
          </Field>
          <Field label={words.role} error={form.error('role')}>
            <Input autoComplete="organization-title" {...field('role')} />
          </Field>
          <Field label={words.email} error={form.error('email')}>
            <Input type="email" autoComplete="email" {...field('email')} />
          </Field>
        </div>
        <Field label={words.bio} error={form.error('bio')}>
          <Textarea rows={3} value={form.draft.bio} onChange={(event) => form.set({ bio: event.target.value })} />
        </Field>
        <Field label={words.customFields} hint={words.customFieldsHint} error={form.error('custom_fields')}>
          <Textarea
            rows={3}
            spellCheck={false}
            className="font-mono text-sm"
            value={form.draft.custom_fields}
            onChange={(event) => form.set({ custom_fields: event.target.value })}
          />
        </Field>
        {form.failure && <Notice tone="bad" icon="error" title={form.failure} />}
        <Button type="submit" look="primary" busy={form.busy} className="justify-self-end">
          {save}
        </Button>
      </form>
    </Card>
  );
}
