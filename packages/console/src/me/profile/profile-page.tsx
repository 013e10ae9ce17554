import { ProfileSettings, UserProfile } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { api, isApiError } from '../../api/index.ts';
import { Card, LoadFailure, Loading } from '../../design/index.ts';
import { MeFrame } from '../me-frame.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Null where there is none yet. */
const fetchProfile = (signal: AbortSignal) =>
  api.get('api/v1/users/me/profile', UserProfile, { signal }).catch((error: unknown) => {
    if (isApiError(error, 'PROFILE_NOT_FOUND')) return null;
    throw error;
  });

export function ProfilePage() {
  const profile = useQuery({ queryKey: ['me', 'profile'], queryFn: ({ signal }) => fetchProfile(signal) });
  const settings = useQuery({
    queryKey: ['me', 'settings'],
    queryFn: ({ signal }) => api.get('api/v1/users/me/settings', ProfileSettings, { signal }),
  });
  const error = profile.error ?? settings.error;
  if (error) {
    const retry = () => void Promise.all([profile.refetch(), settings.refetch()]);
    return (
      <MeFrame page="profile">
        <LoadFailure error={error} onRetry={retry} />
      </MeFrame>
    );
  }
  return (
    <MeFrame page="profile">
      {profile.data === undefined || !settings.data ? (
        <Card>
          <Loading lines={5} />
        </Card>
      ) : (
        <>
          <ProfileForm key={profile.data?.user_id ?? ''} profile={profile.data} />
          <SettingsForm key={JSON.stringify(settings.data)} settings={settings.data} />
        </>
      )}
    </MeFrame>
  );
}
