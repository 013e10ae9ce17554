/** Who is asking: profiles, settings, and the one context that every run receives. */
export { contextFrom, createUsers, getUserAgentContext, settingsOf, type Users } from './context.ts';
export { asDataLine } from './data-line.ts';
export { createProfileStore, type ProfileRow, type ProfileStore } from './profile-store.ts';
export { systemPromptFor } from './prompt-block.ts';
export { parseProfileSettings, patchSettings, upgradeToLatest } from './settings.ts';
