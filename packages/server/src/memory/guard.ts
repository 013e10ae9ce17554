import type { UserAgentContext } from '@kith/protocol';

/** Whether this user may be remembered: they can switch it off, which stops both reading and learning. */
export function mayRemember(user: UserAgentContext): boolean {
  return !('settings' in user) || user.settings.privacy.memory_enabled !== false;
}
