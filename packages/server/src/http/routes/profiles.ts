import {
  ContextPrompt,
  CurrentUser,
  ProfileInput,
  ProfilePatch,
  ProfileSettings,
  UserAgentContext,
  UserId,
  UserPage,
  UserProfile,
  UserQuery,
} from '@kith/protocol';
import { z } from 'zod';
import { errors } from '../../errors/index.ts';
import { settingsOf, systemPromptFor, type Users } from '../../users/index.ts';
import type { App, Routes } from '../app.ts';
import { requireAdmin, subjectOf } from '../caller.ts';

/** Who people are to the server: profiles, settings, and what agents are told of them. */
export function profileRoutes({ users }: { users: Users }): Routes {
  return async (app) => {
    profileResource(app, users);
    settingsResource(app, users);
    contextResource(app, users);
    directory(app, users);
  };
}

const tags = ['users'];
const params = z.strictObject({ user_id: UserId });
const at = (resource: string) => `/api/v1/users/:user_id/${resource}`;

function profileResource(app: App, { profiles }: Users): void {
  app.get(
    at('profile'),
    { schema: { tags, summary: 'A profile', params, response: { 200: UserProfile } } },
    async (request) => {
      const profile = await profiles.get(subjectOf(request, request.params.user_id));
      if (!profile) throw errors.PROFILE_NOT_FOUND();
      return profile;
    },
  );
  app.put(
    at('profile'),
    {
      schema: {
        tags,
        summary: 'Create a profile, or replace all of it',
        params,
        body: ProfileInput,
        response: { 200: UserProfile, 201: UserProfile },
      },
    },
    async (request, reply) => {
      const userId = subjectOf(request, request.params.user_id);
      refuseOtherUser(userId, request.body.user_id);
      const { profile, created } = await profiles.put(userId, request.body);
      return reply.status(created ? 201 : 200).send(profile);
    },
  );
  app.patch(
    at('profile'),
    {
      schema: {
        tags,
        summary: 'Change the named fields of a profile',
        params,
        body: ProfilePatch,
        response: { 200: UserProfile },
      },
    },
    async (request) => {
      const userId = subjectOf(request, request.params.user_id);
      refuseOtherUser(userId, request.body.user_id);
      return profiles.patch(userId, request.body);
    },
  );
  app.delete(
    at('profile'),
    { schema: { tags, summary: 'Forget a profile', params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const existed = await profiles.delete(subjectOf(request, request.params.user_id));
      if (!existed) throw errors.PROFILE_NOT_FOUND();
      return reply.status(204).send();
    },
  );
}

function refuseOtherUser(userId: string, named: string | undefined): void {
  if (named === undefined || named === userId) return;
  throw errors.REQUEST_INVALID({ fields: [{ field: 'user_id', message: 'expected the user of the path' }] });
}

function settingsResource(app: App, users: Users): void {
  app.get(
    at('settings'),
    {
      schema: {
        tags,
        summary: 'Settings; the defaults for someone without a profile',
        params,
        response: { 200: ProfileSettings },
      },
    },
    async (request) => {
      const userId = subjectOf(request, request.params.user_id);
      const profile = await users.profiles.get(userId);
      return profile?.settings ?? settingsOf(users.contextFrom(userId, undefined));
    },
  );
  app.patch(
    at('settings'),
    {
      schema: {
        tags,
        summary: 'Change the named settings',
        params,
        // Looked into by the users room, which answers SETTINGS_INVALID with the field.
        body: z.unknown().meta({ description: 'Part of a settings document', examples: [example] }),
        response: { 200: ProfileSettings },
      },
    },
    async (request) => users.profiles.patchSettings(subjectOf(request, request.params.user_id), request.body),
  );
}

const example = { preferences: { ai_language: 'en-US', timezone: 'Europe/Paris' } };

function contextResource(app: App, users: Users): void {
  // A conversation goes on without a profile when the store fails; someone who asks for it here is told.
  const contextOf = async (userId: string) => users.contextFrom(userId, await users.profiles.get(userId));
  app.get(
    at('context'),
    { schema: { tags, summary: 'What a run knows of the user', params, response: { 200: UserAgentContext } } },
    async (request) => contextOf(subjectOf(request, request.params.user_id)),
  );
  app.get(
    at('context/prompt'),
    { schema: { tags, summary: 'What every agent is told of the user', params, response: { 200: ContextPrompt } } },
    async (request) => {
      const context = await contextOf(subjectOf(request, request.params.user_id));
      return { prompt: systemPromptFor(context) };
    },
  );
}

function directory(app: App, { profiles }: Users): void {
  app.get(
    '/api/v1/users',
    {
      schema: {
        tags,
        summary: 'Everyone with a profile (administrators)',
        querystring: UserQuery,
        response: { 200: UserPage },
      },
    },
    async (request) => {
      requireAdmin(request);
      return profiles.list(request.query);
    },
  );
  app.get(
    '/api/v1/users/me',
    { schema: { tags, summary: 'Who the caller is', response: { 200: CurrentUser } } },
    async ({ caller }) => {
      const profile = await profiles.get(caller.userId);
      return { user_id: caller.userId, role: caller.role, has_profile: profile !== undefined };
    },
  );
}
