import type { UserAgentContext } from '@kith/protocol';

/** Names of methods (`calendar.read`, `mcp.server.tool`), and the patterns that lists of skills are written in. */
export const fullName = (module: string, method: string): string => `${module}.${method}`;

/** `calendar` and `calendar.*` are all of its methods, `calendar.read` is one, `mcp.*` every MCP server, `*` everything. */
export function isEnabled(enabled: readonly string[] | undefined, module: string, method: string): boolean {
  if (!enabled) return true;
  const name = fullName(module, method);
  return enabled.some((entry) => {
    if (entry === '*' || entry === module || entry === name) return true;
    return entry.endsWith('.*') && name.startsWith(entry.slice(0, -1));
  });
}

/** What the user's `safety.approvals` say of a method: its own name before a pattern, a longer pattern before a shorter. */
export function approvalRule(user: UserAgentContext, name: string): 'always' | 'never' | undefined {
  if (!('settings' in user) || user.settings.version !== 2) return undefined;
  const rules = user.settings.safety.approvals ?? {};
  if (Object.hasOwn(rules, name)) return rules[name];
  const [pattern] = Object.keys(rules)
    .filter((key) => key.endsWith('.*') && name.startsWith(key.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return pattern === undefined ? undefined : rules[pattern];
}
