import { ProfileSettings, ProfileSettingsV2, SkillList } from '@kith/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '../../api/index.ts';
import { Button, Card, Checkbox, Field, Input, Notice, Select, toast } from '../../design/index.ts';
import { type Form, useForm } from '../../forms/index.ts';
import { LOCALES, speak, useLanguage, useWords } from '../../language/index.ts';
import { useFirstPreferences } from '../first-settings.ts';
import { meWords } from '../words.ts';
import { profileWords } from './words.ts';

type Approval = 'always' | 'never';

interface Draft {
  interface_language: string;
  ai_language: string;
  timezone: string;
  country: string;
  memory_enabled: boolean;
  automation_failures: boolean;
  approvals: Record<string, Approval>;
}

const draftOf = (settings: ProfileSettings): Draft => ({
  ...settings.preferences,
  memory_enabled: settings.privacy.memory_enabled ?? true,
  automation_failures: settings.notification.automation_failures ?? false,
  approvals: 'safety' in settings ? (settings.safety.approvals ?? {}) : {},
});

const check = (draft: Draft) =>
  ProfileSettingsV2.safeParse({
    version: 2,
    preferences: {
      interface_language: draft.interface_language.trim(),
      ai_language: draft.ai_language.trim(),
      timezone: draft.timezone.trim(),
      country: draft.country.trim(),
    },
    privacy: { memory_enabled: draft.memory_enabled },
    notification: { automation_failures: draft.automation_failures },
    safety: { approvals: draft.approvals },
  });

const LANGUAGES = ['zh-CN', 'zh-TW', 'en', 'en-US', 'en-GB', 'ja', 'ko', 'fr', 'de', 'es', 'ru'];
const COUNTRIES = ['CN', 'HK', 'TW', 'SG', 'US', 'GB', 'JP', 'KR', 'DE', 'FR', 'AU', 'CA'];

export function SettingsForm({ settings }: { settings: ProfileSettings }) {
  const words = useWords(profileWords);
  const { save, saved } = useWords(meWords);
  const queries = useQueryClient();
  const form = useForm({
    initial: { ...draftOf(settings), ...useFirstPreferences() },
    check,
    async save(input) {
      const stored = await api.patch('api/v1/users/me/settings', ProfileSettings, { body: input });
      queries.setQueryData(['me', 'settings'], stored);
      speak(stored.preferences.interface_language);
      toast(saved, 'good');
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <Card title={words.settings}>
      <form className="grid gap-4" onSubmit={form.onSubmit} noValidate>
        <Preferences form={form} />
        <div className="grid gap-2">
          <Checkbox
            label={words.memoryEnabled}
            hint={words.memoryEnabledHint}
            checked={form.draft.memory_enabled}
            onChange={(event) => form.set({ memory_enabled: event.target.checked })}
          />
          <Checkbox
            label={words.automationFailures}
            checked={form.draft.automation_failures}
            onChange={(event) => form.set({ automation_failures: event.target.checked })}
          />
        </div>
        <Approvals form={form} />
        {form.failure && <Notice tone="bad" icon="error" title={form.failure} />}
        <Button type="submit" busy={form.busy} className="justify-self-end">
          {save}
        </Button>
      </form>
    </Card>
  );
}

/** Written freely with suggestions: nobody finds their zone in a list of four hundred. */
function Preferences({ form }: { form: Form<Draft> }) {
  const words = useWords(profileWords);
  const id = useId();
  const field = (name: 'interface_language' | 'ai_language' | 'timezone' | 'country', list: string) => ({
    value: form.draft[name],
    list: `${id}-${list}`,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => form.set({ [name]: event.target.value }),
  });
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={words.interfaceLanguage} error={form.error('preferences.interface_language')}>
        <Input {...field('interface_language', 'languages')} />
      </Field>
      <Field label={words.aiLanguage} error={form.error('preferences.ai_language')}>
        <Input {...field('ai_language', 'languages')} />
      </Field>
      <Field label={words.timezone} error={form.error('preferences.timezone')}>
        <Input {...field('timezone', 'zones')} />
      </Field>
      <Field label={words.country} hint={words.countryHint} error={form.error('preferences.country')}>
        <Input {...field('country', 'countries')} />
      </Field>
      <Suggestions id={`${id}-languages`} values={LANGUAGES} type="language" />
      <Suggestions id={`${id}-zones`} values={Intl.supportedValuesOf('timeZone')} />
      <Suggestions id={`${id}-countries`} values={COUNTRIES} type="region" />
    </div>
  );
}

function Suggestions({ id, values, type }: { id: string; values: readonly string[]; type?: 'language' | 'region' }) {
  const locale = LOCALES[useLanguage()];
  const names = type && new Intl.DisplayNames(locale, { type });
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value}>
          {names?.of(value)}
        </option>
      ))}
    </datalist>
  );
}

/** What changes something may be loosened or tightened; what only reads needs no asking. */
function Approvals({ form }: { form: Form<Draft> }) {
  const words = useWords(profileWords);
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['skills'],
    queryFn: ({ signal }) => api.get('api/v1/skills', SkillList, { signal }),
    staleTime: 5 * 60_000,
  });
  const methods = (data?.skills ?? []).flatMap(({ module, methods }) =>
    methods
      .filter(({ effect }) => effect !== 'read')
      .map((method) => ({ ...method, id: `${module}.${method.method}` })),
  );
  if (methods.length === 0) return null;
  const choose = (method: string, value: string) => {
    const { [method]: _, ...others } = form.draft.approvals;
    form.set({ approvals: value === 'always' || value === 'never' ? { ...others, [method]: value } : others });
  };
  return (
    <fieldset className="grid gap-2 border-t border-line pt-4">
      <legend className="float-start w-full font-medium">{words.approvals}</legend>
      <p className="text-sm text-faint">{words.approvalsHint}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {methods.map(({ id, name, approval }) => (
          <Field key={id} label={name[language]}>
            <Select value={form.draft.approvals[id] ?? ''} onChange={(event) => choose(id, event.target.value)}>
              <option value="">{words.approvalChoices.default(approval)}</option>
              <option value="always">{words.approvalChoices.always}</option>
              <option value="never">{words.approvalChoices.never}</option>
            </Select>
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
