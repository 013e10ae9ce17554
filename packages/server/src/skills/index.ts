/** What an agent can do for its user: skill folders, their methods, the tools of MCP servers, and what the planner reads of them. */
export { calendarBetween } from './calendar/read.ts';
export {
  addContact,
  changeContact,
  findContact,
  removeContact,
  searchContacts,
} from './contacts/contact-store.ts';
export { createSkills, type SkillsOptions } from './create-skills.ts';
export { inspectSkills } from './inspect.ts';
export type { CallContext, SkillContext, SkillEffect, SkillInfo, SkillMethod, Skills } from './port.ts';
