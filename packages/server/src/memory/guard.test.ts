import { ProfileSettingsV2 } from '@kith/protocol';
import { expect, test } from 'vitest';
import { mayRemember } from './guard.ts';

const user = (privacy: { memory_enabled?: boolean }) => ({
  user_id: 'alice',
  username: 'alice',
  settings: ProfileSettingsV2.parse({ version: 2, privacy }),
});

test('whoever switched memory off is neither read nor learned about', () => {
  expect(mayRemember(user({ memory_enabled: false }))).toBe(false);
});

test('everyone else is, a user without a profile too', () => {
  expect(mayRemember(user({ memory_enabled: true }))).toBe(true);
  expect(mayRemember(user({}))).toBe(true);
  expect(mayRemember({ user_id: 'nobody', is_anonymous: true })).toBe(true);
});
